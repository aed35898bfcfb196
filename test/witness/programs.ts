/** The witness as a separate process, as operators run it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const SCRIPT = new URL('../../src/commands/witness.ts', import.meta.url).pathname;

export interface RunningWitness {
  url: string;
  port: number;
  vkey: string;
  child: ChildProcess;
  kill(): Promise<void>;
}

export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'witness-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** `npm run witness -- accept-loss`, beside a running witness or without one. */
export async function acceptLoss(
  state: string,
  digest: string,
  ...more: string[]
): Promise<{ code: number; text: string }> {
  const args = [SCRIPT, 'accept-loss', '--state', state, '--digest', digest, ...more];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      text += part.toString();
    });
  const [code] = (await once(child, 'close')) as [number];
  return { code, text };
}

export async function startWitness(
  state: string,
  logs: string[],
  port = 0,
  more: string[] = [],
): Promise<RunningWitness> {
  const args = ['--listen', `127.0.0.1:${port}`, '--state', state, '--log', ...logs, ...more];
  const child = spawn(process.execPath, [SCRIPT, ...args], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const [ready] = (await Promise.race([
    once(child, 'message'),
    exited.then(() => {
      throw new Error('the witness did not start');
    }),
  ])) as [{ port: number; vkey: string }];
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(kill);
  return { ...ready, url: `http://127.0.0.1:${ready.port}`, child, kill };
}
