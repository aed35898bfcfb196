import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withSchemaEngine } from './schema-engine.ts';

interface ModelFile {
  path: string;
  content: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));
export const schemaFolder = join(root, 'prisma');

const isModelFile = (path: string) => path.endsWith('.prisma');

/** The models in prisma/*.prisma. */
export const currentModels = (): ModelFile[] =>
  readdirSync(schemaFolder)
    .filter(isModelFile)
    .sort()
    .map((path) => ({ path, content: readFileSync(join(schemaFolder, path), 'utf8') }));

/** The models of the last commit. */
export function committedModels(): ModelFile[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  return git('ls-tree', '--name-only', 'HEAD', 'prisma/')
    .split('\n')
    .filter(isModelFile)
    .map((path) => ({ path: path.slice('prisma/'.length), content: git('show', `HEAD:${path}`) }));
}

/** The SQL that migrates from one state of the models, or from an empty database, to another. */
export async function sqlBetween(databaseUrl: string, from: ModelFile[] | null, to: ModelFile[]) {
  // The engine requires a server, but reads only the models: any database will do.
  const { stdout } = await withSchemaEngine(databaseUrl, (engine) =>
    engine.diff({
      from: from ? { tag: 'schemaDatamodel', files: from } : { tag: 'empty' },
      to: { tag: 'schemaDatamodel', files: to },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  return stdout ?? '';
}
