import { setImmediate as nextTurn } from 'node:timers/promises';
import { centerIdOf, principalName } from '../domain/principal.ts';
import { makeSemaphore, type Semaphore } from '../lib/semaphore.ts';
import type { RequestContext } from './request-context.ts';

const LARGE_BYTES = 64 * 1_024;

interface Queue {
  inTurn: Semaphore;
  /** The number of requests that run or wait. */
  users: number;
}

/** REST and GraphQL of one service share these queues. */
const queuesOf = new WeakMap<object, Map<string, Queue>>();

/**
 * Runs requests with large bodies one at a time per center: parsing and sealing one blocks the event loop for tens of
 * milliseconds, and several in a row would delay every other caller. The event loop turns between two of them.
 */
export async function inLargeBodyTurn<T>(
  { app, principal }: RequestContext,
  bytes: number,
  run: () => Promise<T>,
): Promise<T> {
  if (bytes <= LARGE_BYTES) return run();
  const queues = queuesOf.get(app) ?? new Map<string, Queue>();
  queuesOf.set(app, queues);
  const name = String(centerIdOf(principal) ?? principalName(principal));
  const queue = queues.get(name) ?? { inTurn: makeSemaphore(1), users: 0 };
  queues.set(name, queue);
  queue.users++;
  try {
    return await queue.inTurn(async () => {
      await nextTurn();
      return run();
    });
  } finally {
    if (--queue.users === 0) queues.delete(name);
  }
}
