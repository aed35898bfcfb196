import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A program of ours in a process of its own, as it would run in earnest. */
export interface Program {
  port: number;
  pid: number;
  end(): Promise<void>;
}

/** Starts a program and waits for the line in which it tells its port as JSON. */
export async function startProgram(file: string, env: Record<string, string>): Promise<Program> {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  const child = spawn(process.execPath, [path], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) {
    const port = portIn(line);
    if (port === undefined) continue;
    child.stdout.resume();
    return {
      port,
      pid: child.pid!,
      async end() {
        child.kill('SIGTERM');
        await exited;
      },
    };
  }
  throw new Error(`${file} ended before it was ready`);
}

function portIn(line: string): number | undefined {
  try {
    const said = JSON.parse(line) as { msg?: string; port?: number };
    return said.msg === 'ready' ? (said.port ?? 0) : undefined;
  } catch {
    return undefined;
  }
}
