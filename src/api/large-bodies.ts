import { setImmediate as nextTurn } from 'node:timers/promises';
import { centerIdOf, principalName } from '../domain/principal.ts';
import { makeKeyedSemaphore } from '../lib/keyed-semaphore.ts';
import type { RequestContext } from './request-context.ts';

const LARGE_BYTES = 64 * 1_024;

/** REST and GraphQL of one service share these queues. */
const turnsOf = new WeakMap<object, ReturnType<typeof makeKeyedSemaphore>>();

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
  const inTurn = turnsOf.get(app) ?? makeKeyedSemaphore(1);
  turnsOf.set(app, inTurn);
  return inTurn(String(centerIdOf(principal) ?? principalName(principal)), async () => {
    await nextTurn();
    return run();
  });
}
