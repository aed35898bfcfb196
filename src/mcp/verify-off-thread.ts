import { Worker } from 'node:worker_threads';
import type { ProofVerdict, TrustedServiceKey } from '@countersign/proof-kit';
import { DomainError } from '../lib/errors.ts';
import { makeSemaphore } from '../lib/semaphore.ts';

/** The input of a thread, as a structured clone. */
export interface VerificationTask {
  text: string;
  keys: TrustedServiceKey[];
}

export type ThreadVerdict = Pick<ProofVerdict, 'verdict' | 'reason' | 'steps'>;

/** The limits of one verification. */
interface VerificationBudget {
  ms: number;
  megabytes: number;
}

const BUDGET: VerificationBudget = { ms: 10_000, megabytes: 128 };

/** Concurrent threads: on most machines this leaves a core for everything else. */
const MOST_AT_ONCE = 2;
/** Running and waiting verifications per center; the next one is rejected. */
const MOST_FOR_A_CENTER = 4;

const atOnce = makeSemaphore(MOST_AT_ONCE);
const pending = new Map<number, number>();

/** Verifies a document in a worker thread, so that no document blocks other requests. */
export async function verifyOffThread(
  centerId: number,
  task: VerificationTask,
  budget: VerificationBudget = BUDGET,
): Promise<ThreadVerdict> {
  const own = pending.get(centerId) ?? 0;
  if (own >= MOST_FOR_A_CENTER)
    throw new DomainError(
      'RATE_LIMITED',
      `At most ${MOST_FOR_A_CENTER} proofs are verified at a time; retry later.`,
    );
  pending.set(centerId, own + 1);
  try {
    return await atOnce(() => inThread(task, budget));
  } finally {
    const left = pending.get(centerId)! - 1;
    if (left === 0) pending.delete(centerId);
    else pending.set(centerId, left);
  }
}

function inThread(task: VerificationTask, { ms, megabytes }: VerificationBudget): Promise<ThreadVerdict> {
  const worker = new Worker(new URL('./verify-thread.ts', import.meta.url), {
    workerData: task,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 16 },
  });
  return new Promise<ThreadVerdict>((resolve, reject) => {
    const timer = setTimeout(() => resolve(exhausted(`${ms / 1_000} seconds`)), ms);
    worker.once('message', resolve);
    worker.once('error', (error: Error & { code?: string }) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(exhausted(`${megabytes} MB of memory`));
      else reject(error);
    });
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(new Error('the thread that verifies ended without a verdict'));
    });
  }).finally(() => worker.terminate());
}

function exhausted(budget: string): ThreadVerdict {
  return { verdict: 'unreadable', reason: `it takes more than ${budget} to verify`, steps: [] };
}
