/** Limits concurrency; further tasks wait in order. */
export type Semaphore = <T>(run: () => Promise<T>) => Promise<T>;

export function makeSemaphore(permits: number): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running >= permits) await new Promise<void>((resume) => waiting.push(resume));
    else running++;
    try {
      return await run();
    } finally {
      // A finished task passes its permit on directly, so no other task can take it in between.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/** How many results per running task may be requested before the first one is consumed. */
const AHEAD = 2;

/**
 * Processes items concurrently and yields the results in the order of the items. A slow item delays the results, not the work
 * on later items. How far the work runs ahead of the consumer is bounded.
 */
export async function* mapConcurrently<Item, Result>(
  items: Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const semaphore = makeSemaphore(concurrency);
  const ahead: Promise<Result>[] = [];
  try {
    for (const item of items) {
      const result = semaphore(() => work(item));
      // The consumer sees a failure at its place in the order.
      result.catch(() => {});
      ahead.push(result);
      if (ahead.length >= concurrency * AHEAD) yield await ahead.shift()!;
    }
    while (ahead.length > 0) yield await ahead.shift()!;
  } finally {
    // Nothing is left running after the consumer has stopped.
    await Promise.allSettled(ahead);
  }
}
