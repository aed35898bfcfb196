// npm run migration -- <name>: writes a new migration with the SQL for what changed in the models since the last one.
// Add by hand what models cannot say (triggers, constraints, extensions); a migration without model changes starts empty.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { startThrowawayPostgres } from '../src/db/embedded/throwaway.ts';
import { migrationsFolder, saveSnapshot, sqlOfModelChanges } from './models.ts';

const name = process.argv[2];
if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
  process.stderr.write(
    'Usage: npm run migration -- <name>, the name in lower case with underscores, such as add_invoices\n',
  );
  process.exit(1);
}

const server = await startThrowawayPostgres();
const sql = await sqlOfModelChanges(server.url).finally(() => server.stop());
const timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
const folder = join(migrationsFolder, `${timestamp}_${name}`);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'migration.sql'), sql || '-- The models did not change: write the SQL here.\n');
saveSnapshot();
process.stdout.write(`Wrote ${relative(process.cwd(), join(folder, 'migration.sql'))}\n`);
