import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A program in its own process, as in production. */
export interface Program {
  port: number;
  pid: number;
  end(): Promise<void>;
}

/** Starts a program and waits for the message with its port. */
export async function startProgram(file: string, env: Record<string, string>): Promise<Program> {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  // The service is measured as it is started in production.
  const [command, args] = file.endsWith('.sh') ? [path, []] : [process.execPath, [path]];
  const child = spawn(command, args, {
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
