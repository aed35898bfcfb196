import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withSchemaEngine } from '../src/db/schema-engine.ts';

const schemaFolder = fileURLToPath(new URL('../prisma', import.meta.url));
export const migrationsFolder = join(schemaFolder, 'migrations');

/** The models as of the newest migration. Not named .prisma, or Prisma would take it for a part of the schema. */
const snapshotFile = join(migrationsFolder, 'models.snapshot');

/** All files of the schema as one text. */
function readModels(): string {
  const files = readdirSync(schemaFolder).filter((file) => file.endsWith('.prisma'));
  return files
    .sort()
    .map((file) => readFileSync(join(schemaFolder, file), 'utf8'))
    .join('\n');
}

export function saveSnapshot() {
  writeFileSync(snapshotFile, readModels());
}

/** The SQL that leads from the models as of the newest migration to those of now; empty when nothing changed. */
export async function sqlOfModelChanges(databaseUrl: string): Promise<string> {
  const before = existsSync(snapshotFile)
    ? datamodel(readFileSync(snapshotFile, 'utf8'))
    : { tag: 'empty' as const };
  // The engine insists on a server, but compares only the two texts: any database will do.
  const { exitCode, stdout } = await withSchemaEngine(databaseUrl, (engine) =>
    engine.diff({
      from: before,
      to: datamodel(readModels()),
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  const changed = exitCode === 2;
  return changed && stdout ? stdout : '';
}

function datamodel(content: string) {
  return { tag: 'schemaDatamodel' as const, files: [{ path: 'schema.prisma', content }] };
}
