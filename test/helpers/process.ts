import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processFolder } from './database.ts';
import { eventually } from './eventually.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A real Countersign process, started the way an operator starts it. */
export interface ServerProcess {
  child: ChildProcess;
  /** The URL of its API; empty for a worker. */
  url: string;
  /** Its output so far. */
  output(): string;
  /** Sends the signal and resolves to the exit code (or the signal that ended it). */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

export interface ProcessOptions {
  env?: Record<string, string>;
  /** Use `npm start` instead of the underlying command. */
  throughNpm?: boolean;
}

/** Only the environment that programs need to run, and the compile cache. */
export function bareEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR, NODE_COMPILE_CACHE } = process.env;
  return {
    PATH,
    HOME,
    ...(TMPDIR && { TMPDIR }),
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    ...extra,
  };
}

/** The folder for processes on a database: never the project's own, where the next `npm start` would find their keys. */
function dataDirOf(databaseUrl = ''): string {
  const name = URL.canParse(databaseUrl)
    ? basename(new URL(databaseUrl).pathname)
    : `countersign-${process.pid}`;
  return join(tmpdir(), processFolder(name));
}

function environment(extra: Record<string, string>): Record<string, string> {
  return bareEnvironment({
    PORT: '0',
    DATA_DIR: dataDirOf(extra['DATABASE_URL']),
    JWT_SECRET: 'Zk8vQ2xW7rT4yN1mB6pL9sD3fG5hJ0cA',
    SEED_DEMO: '0',
    ...extra,
  });
}

/** Starts it without waiting. */
export function spawnServer({ env = {}, throughNpm }: ProcessOptions = {}): ServerProcess {
  const [command, args] = throughNpm
    ? ['npm', ['start']]
    : [fileURLToPath(new URL('../../scripts/launch.sh', import.meta.url)), []];
  const child = spawn(command, args, { cwd: root, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  child.stdout!.on('data', (chunk) => (printed += chunk));
  child.stderr!.on('data', (chunk) => (printed += chunk));
  const exited = once(child, 'exit');
  return {
    child,
    url: '',
    output: () => printed,
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code, by] = (await exited) as [number | null, NodeJS.Signals | null];
      return code ?? by!;
    },
  };
}

/** Starts it and waits until it is ready. */
export async function startServer(options: ProcessOptions = {}): Promise<ServerProcess> {
  const server = spawnServer(options);
  const ready = () => /^\{.*"msg":"ready"\}$/m.exec(server.output())?.[0];
  const ended = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;
  await eventually(() => ready() !== undefined || ended(server.child), 60_000).catch(async (error) => {
    await server.end('SIGKILL');
    throw new Error(`it was not ready in time: ${server.output()}`, { cause: error });
  });
  const line = ready();
  if (!line) throw new Error(`it did not start: ${server.output()}`);
  const { port } = JSON.parse(line) as { port?: number };
  return { ...server, url: port ? `http://127.0.0.1:${port}` : '' };
}
