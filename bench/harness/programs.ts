import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A program of ours in a process of its own, as it would run in earnest. */
export interface Program {
  port: number;
  pid: number;
  end(): Promise<void>;
}

/** What `npm start` tells Node: the service is measured as it is started in earnest. */
function flagsOf(file: string): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const [, flags] = /\/node (--.*) (\S+)$/.exec(scripts.start)!;
  return scripts.start.endsWith(` ${file}`) ? flags!.split(' ') : [];
}

/** Starts a program and waits for the message in which it tells its port. */
export async function startProgram(file: string, env: Record<string, string>): Promise<Program> {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  const child = fork(path, {
    execArgv: flagsOf(file),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const ready = once(child, 'message') as Promise<[{ port?: number }]>;
  const [message] = await Promise.race([
    ready,
    exited.then(() => {
      throw new Error(`${file} ended before it was ready`);
    }),
  ]);
  return {
    port: message.port ?? 0,
    pid: child.pid!,
    async end() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
