// npm run migration: writes the SQL of prisma/*.prisma into the model migration. What models cannot say (triggers,
// functions, constraints) is written by hand in the migrations after it.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { startThrowawayPostgres } from '../src/db/embedded/throwaway.ts';
import { modelMigration, sqlOfModels } from './models.ts';

const server = await startThrowawayPostgres();
const sql = await sqlOfModels(server.url).finally(() => server.stop());
writeFileSync(modelMigration, sql);
process.stdout.write(`Wrote ${relative(process.cwd(), modelMigration)}\n`);
