import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const node = join(root, 'node_modules/.bin/node');
const execute = promisify(execFile);

/** An empty project with the packed client installed, as a user would have. */
export interface Installed {
  folder: string;
  /** Runs a module there; returns its output. */
  run(source: string, env?: Record<string, string>): Promise<string>;
  /** Type-checks a file there, including the types of the package; returns the errors. */
  compile(file: string): Promise<string>;
  /** The `countersign` command. */
  command(args: string[], options?: { env?: Record<string, string>; input?: string }): Promise<Ended>;
  /** The same, left running. */
  start(args: string[], env: Record<string, string>): ReturnType<typeof spawn>;
  /** One of the examples in the package. */
  example(name: string, args: string[], env: Record<string, string>): Started;
  remove(): Promise<void>;
}

export interface Started {
  child: ChildProcess;
  ended: Promise<Ended>;
}

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

export async function installClient(): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-client-'));
  const pack = ['pack', '--workspace', 'packages/client', '--pack-destination', folder, '--json'];
  const { stdout } = await execute('npm', pack, { cwd: root });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }];
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'stranger', type: 'module' }));
  await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], { cwd: folder });
  const program = join(folder, 'node_modules/.bin/countersign');
  const profile = join(folder, 'profile.json');
  const environment = (env = {}) => ({ ...process.env, COUNTERSIGN_PROFILE: profile, ...env });
  return {
    folder,
    async run(source, env) {
      const file = join(folder, `module-${Date.now()}-${Math.random()}.mjs`);
      await writeFile(file, source);
      return (await execute(node, [file], { cwd: folder, env: environment(env) })).stdout;
    },
    compile: (file) =>
      execute(join(root, 'node_modules/.bin/tsc'), ['--noEmit', '--strict', '--module', 'nodenext', file], {
        cwd: folder,
      }).then(
        () => '',
        ({ stdout: errors }: { stdout: string }) => errors,
      ),
    command: (args, { env, input } = {}) =>
      new Promise((resolve) => {
        const child = execFile(node, [program, ...args], { env: environment(env) }, (error, out, err) =>
          resolve({ code: error ? Number(error.code) : 0, stdout: out, stderr: err }),
        );
        // A command that rejects its arguments exits before it reads its input (EPIPE).
        child.stdin!.on('error', () => undefined).end(input ?? '');
      }),
    start: (args, env) =>
      spawn(node, [program, ...args], { env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] }),
    example(name, args, env) {
      const file = join(folder, 'node_modules/@countersign/client/examples', name);
      const started = Promise.withResolvers<Ended>();
      const child = execFile(node, [file, ...args], { env: environment(env) }, (error, out, err) =>
        started.resolve({ code: error ? Number(error.code) : 0, stdout: out, stderr: err }),
      );
      return { child, ended: started.promise };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
