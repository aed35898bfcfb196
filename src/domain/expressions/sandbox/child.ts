import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type SandboxMessage, TOO_LARGE } from './protocol.ts';

/** A sandbox process, for one task at a time. */
export interface SandboxProcess {
  /** Rejects with SandboxEnded if the process exits without an answer. */
  ask(request: string): Promise<Exclude<SandboxMessage, { kind: 'ready' }>>;
  alive(): boolean;
  stop(): Promise<void>;
}

/** The process ended for a reason other than its task: it was killed, or could not start. */
export class SandboxEnded extends Error {}

const PROGRAM = fileURLToPath(new URL('./process.ts', import.meta.url));

/** The packages that evaluate expressions. */
const PACKAGES = ['@marcbachmann/cel-js', 'lru-cache', 're2js'];

/** The folder of a package: the path of its entry up to the package's name. */
function folderOf(name: string): string {
  const entry = fileURLToPath(import.meta.resolve(name));
  return entry.slice(0, entry.lastIndexOf(`/node_modules/${name}/`) + `/node_modules/${name}/`.length);
}

const PROGRAM_PARTS = [fileURLToPath(new URL('../', import.meta.url)), ...PACKAGES.map(folderOf)];

/**
 * The process may read only its own program: no writing, no child processes, no native code, no code from strings, no
 * environment. Node 24 has no such flag for the network, so the evaluating thread disables it itself (close-network.ts).
 */
export const SANDBOX_FLAGS = [
  '--permission',
  ...PROGRAM_PARTS.map((part) => `--allow-fs-read=${part}*`),
  '--allow-worker',
  '--disallow-code-generation-from-strings',
  '--no-warnings',
  '--max-semi-space-size=4',
];

/** How a process ends if its heap is full, as a signal or as a shell's exit code. */
const OUT_OF_MEMORY = new Set<unknown>(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 133, 134]);

export async function startSandboxProcess(): Promise<SandboxProcess> {
  const child = fork(PROGRAM, [], {
    execArgv: SANDBOX_FLAGS,
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = endOf(child);
  await answerOf(child, ended);
  // An idle sandbox does not keep the service from exiting.
  child.unref();
  child.channel?.unref();
  return {
    async ask(request) {
      child.channel?.ref();
      try {
        child.send(request);
        return (await answerOf(child, ended)) as Exclude<SandboxMessage, { kind: 'ready' }>;
      } finally {
        child.channel?.unref();
      }
    },
    alive: () => child.connected && child.exitCode === null && child.signalCode === null,
    async stop() {
      child.ref();
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Resolves when the process has ended, with the reason. */
function endOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => {
    child.once('error', resolve);
    child.once('exit', (code, signal) => resolve(signal ?? code));
  });
}

function answerOf(child: ChildProcess, ended: Promise<unknown>): Promise<SandboxMessage> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as SandboxMessage));
    void ended.then((how) => {
      if (OUT_OF_MEMORY.has(how)) resolve({ kind: 'spent', error: TOO_LARGE });
      else reject(new SandboxEnded(`a sandbox ended: ${how instanceof Error ? how.message : how}`));
    });
  });
}
