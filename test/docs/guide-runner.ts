import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bareEnvironment } from '../helpers/process.ts';
import type { Block } from './blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const graphqlRunner = fileURLToPath(new URL('fixtures/run-graphql.ts', import.meta.url));
const client = new URL('../../packages/client/src/', import.meta.url);
const execute = promisify(execFile);

export const hasPython = spawnSync('python3', ['--version']).status === 0;

/** A folder from which programs of the guides resolve their imports. */
export interface GuideRunner {
  /** Runs the blocks one after the other in one shell; returns their output. Throws with the block that failed. */
  run(blocks: readonly Block[], env: Record<string, string>): Promise<string>;
  /** Type-checks the TypeScript blocks; returns the compiler's errors. */
  typeFaults(blocks: readonly Block[]): Promise<string>;
  remove(): Promise<void>;
}

/** Runs the underlying command of `npm run` directly, because npm's startup time adds up; npm itself is tested elsewhere. */
async function npmInShort(): Promise<string> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const cases = Object.entries<string>(scripts)
    .filter(([, script]) => script.includes('exec node_modules/.bin/node '))
    .map(([name, script]) => `  ${name}) exec ${script.split('exec ').at(-1)} "$@" ;;`);
  return `#!/bin/sh
[ "$1 $2" = 'run --silent' ] || exit 64
name=$3
shift 4
export INIT_CWD="$PWD"
case $name in
${cases.join('\n')}
esac
exit 64
`;
}

export async function guideRunner(): Promise<GuideRunner> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-guides-'));
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  // The client as if installed: by its name, from its sources.
  const installed = join(folder, 'node_modules/@countersign/client');
  await mkdir(installed, { recursive: true });
  const entries = { '.': './index.js', './proof': './proof.js' };
  await writeFile(join(installed, 'package.json'), JSON.stringify({ type: 'module', exports: entries }));
  for (const name of ['index', 'proof']) {
    await writeFile(join(installed, `${name}.js`), `export * from '${new URL(`${name}.ts`, client)}';\n`);
  }

  const programs = join(folder, 'bin');
  await mkdir(programs);
  await writeFile(join(programs, 'npm'), await npmInShort(), { mode: 0o755 });

  const file = (block: Block, extension: string) =>
    join(folder, `${block.document.replace(/\W/g, '-')}-${block.line}.${extension}`);

  async function command(block: Block): Promise<string> {
    if (block.language === 'sh') return block.code;
    if (block.language === 'json') return ':';
    const [program, extension] = {
      ts: ['node', 'ts'],
      python: ['python3', 'py'],
      graphql: [`node '${graphqlRunner}'`, 'graphql'],
    }[block.language]!;
    const path = file(block, extension!);
    await writeFile(path, block.code);
    return `${program} '${path}'`;
  }

  return {
    async run(blocks, env) {
      const parts = await Promise.all(
        blocks.map(async (block) => {
          // A list of commands joined by && ends early without ending the shell.
          const ended = 'rc=$?; [ $rc = 0 ] || exit $rc';
          return `echo '@@ ${block.document}:${block.line}' >&2\n${await command(block)}\n${ended}`;
        }),
      );
      const script = parts.join('\n');
      const path = [programs, join(root, 'node_modules/.bin'), process.env['PATH']].join(':');
      const environment = bareEnvironment({ PATH: path, WORK: folder, ...env });
      try {
        const args = ['-aeu', '-o', 'pipefail', '-c', script];
        const { stdout } = await execute('bash', args, { cwd: root, env: environment, timeout: 110_000 });
        return stdout;
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        const last = stderr.lastIndexOf('@@ ');
        throw new Error(`${stderr.slice(last)}\nprinted before:\n${stdout.slice(-2_000)}`);
      }
    },
    async typeFaults(blocks) {
      const files = await Promise.all(
        blocks.map(async (block) => {
          const path = file(block, 'ts');
          await writeFile(path, block.code);
          return path;
        }),
      );
      const tsconfig = join(folder, 'tsconfig.json');
      const compilerOptions = {
        strict: true,
        noEmit: true,
        module: 'nodenext',
        target: 'esnext',
        lib: ['esnext', 'dom', 'dom.asynciterable'],
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
        allowImportingTsExtensions: true,
        skipLibCheck: true,
        paths: {
          '@countersign/client': [fileURLToPath(new URL('index.ts', client))],
          '@countersign/client/proof': [fileURLToPath(new URL('proof.ts', client))],
        },
      };
      await writeFile(tsconfig, JSON.stringify({ compilerOptions, files }));
      const { stdout } = await execute(join(root, 'node_modules/.bin/tsc'), ['-p', tsconfig]).catch(
        (error: { stdout: string }) => error,
      );
      return stdout;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
