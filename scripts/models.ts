import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withSchemaEngine } from '../src/db/schema-engine.ts';

const schemaFolder = fileURLToPath(new URL('../prisma', import.meta.url));

/** The migration that makes the tables of prisma/*.prisma, and nothing else. */
export const modelMigration = join(schemaFolder, 'migrations/20261115120000_model/migration.sql');

/** What that migration must say: the way from an empty database to the models as they are now. */
export async function sqlOfModels(databaseUrl: string): Promise<string> {
  const files = readdirSync(schemaFolder)
    .filter((file) => file.endsWith('.prisma'))
    .sort()
    .map((path) => ({ path, content: readFileSync(join(schemaFolder, path), 'utf8') }));
  // The engine insists on a server, but reads only the models: any database will do.
  const { stdout } = await withSchemaEngine(databaseUrl, (engine) =>
    engine.diff({
      from: { tag: 'empty' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  return stdout ?? '';
}
