// The thread of a sandbox process that evaluates tenants' expressions. The supervisor stops the process if it exceeds its
// limits. The thread itself reports which expressions it has started and which exceeded their time.
import { parentPort, workerData } from 'node:worker_threads';
import { closeNetwork } from './close-network.ts';
import { type RenderRequest, renderPieces } from './pieces.ts';
import { LIMITS, type SandboxMessage, SHARED, TOO_LONG } from './protocol.ts';

closeNetwork();

const shared = new Int32Array(workerData as SharedArrayBuffer);

function metered(run: () => unknown, source: string): unknown {
  Atomics.add(shared, SHARED.expressionsBegun, 1);
  const before = process.threadCpuUsage();
  const value = run();
  const { user, system } = process.threadCpuUsage(before);
  if (user + system > LIMITS.expressionMs * 1_000) throw new Error(`${source}: ${TOO_LONG}`);
  return value;
}

function answer(request: string): SandboxMessage {
  try {
    const values = renderPieces(JSON.parse(request) as RenderRequest, metered);
    return { kind: 'values', values: JSON.stringify(values) };
  } catch (error) {
    return { kind: 'failed', error: (error as Error).message };
  }
}

parentPort!.on('message', (request: string) => parentPort!.postMessage(answer(request)));
parentPort!.postMessage({ kind: 'ready' } satisfies SandboxMessage);
