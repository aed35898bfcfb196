// A sandbox process: its main thread supervises, another one evaluates. The limit is CPU time, so that neither a suspended nor
// a busy machine makes a healthy expression fail. If the task exceeds its limits, the whole process ends: a heap overflow would
// crash it anyway, and only a process can be stopped at any moment.
import { Worker } from 'node:worker_threads';
import { LIMITS, type SandboxMessage, SHARED, STEP_TOO_LONG, TOO_LARGE, TOO_LONG } from './protocol.ts';

const LOOK_EVERY_MS = 20;

const shared = new Int32Array(new SharedArrayBuffer(SHARED.length * Int32Array.BYTES_PER_ELEMENT));
const worker = new Worker(new URL('./thread.ts', import.meta.url), {
  workerData: shared.buffer,
  resourceLimits: { maxOldGenerationSizeMb: LIMITS.memoryMb, stackSizeMb: 4 },
  stdout: true,
  stderr: true,
});
let watch: NodeJS.Timeout | undefined;

function send(message: SandboxMessage, then: () => void = () => {}): void {
  // Without a parent there is nothing left to do.
  if (process.connected) process.send!(message, undefined, undefined, then);
  else process.exit(0);
}

function end(error: string): void {
  clearInterval(watch);
  send({ kind: 'spent', error }, () => process.kill(process.pid, 'SIGKILL'));
}

const usedMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** The thread may be unable to respond, so the time of the whole process is measured. */
function startWatching(): void {
  const atStart = usedMs();
  let atExpression = atStart;
  let begun = Atomics.load(shared, SHARED.expressionsBegun);
  watch = setInterval(() => {
    const now = usedMs();
    const beganMeanwhile = Atomics.load(shared, SHARED.expressionsBegun);
    if (beganMeanwhile !== begun) {
      begun = beganMeanwhile;
      atExpression = now;
    }
    if (now - atStart > LIMITS.stepMs) end(STEP_TOO_LONG);
    else if (now - atExpression > LIMITS.expressionMs) end(`an expression ${TOO_LONG}`);
  }, LOOK_EVERY_MS);
}

worker.on('message', (message: SandboxMessage) => {
  clearInterval(watch);
  send(message);
});
worker.on('error', (error: NodeJS.ErrnoException) => {
  end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_LARGE : error.message);
});

process.on('message', (request: string) => {
  startWatching();
  worker.postMessage(request);
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group. The service ends its sandboxes itself once nothing needs them.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
