// npm run migration -- NAME: writes a new migration with the SQL from the models of the last commit to those of
// prisma/*.prisma. Add by hand what models cannot express (triggers, functions, privileges, row-level security).
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { startThrowawayPostgres } from '../src/db/embedded/throwaway.ts';
import { committedModels, currentModels, schemaFolder, sqlBetween } from './models.ts';

const [name] = process.argv.slice(2);
if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
  process.stderr.write(
    'Usage: npm run migration -- NAME, where NAME has lowercase letters, digits and underscores\n',
  );
  process.exit(2);
}
const server = await startThrowawayPostgres();
const sql = await sqlBetween(server.url, committedModels(), currentModels()).finally(() => server.stop());
const timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
const folder = join(schemaFolder, 'migrations', `${timestamp}_${name}`);
mkdirSync(folder);
writeFileSync(join(folder, 'migration.sql'), sql);
process.stdout.write(`Wrote ${relative(process.cwd(), folder)}\n`);
