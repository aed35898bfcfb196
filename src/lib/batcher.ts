import { inTurn } from './turn-queue.ts';

/** Carries out many callers' items together; answers come in the order of the items. */
type RunBatch<Item, Result> = (items: Item[]) => Promise<Result[]>;

export interface BatcherOptions {
  most: number;
  /** Batches under way at once. */
  concurrency: number;
  /** Least time from the beginning of one batch to that of the next, so that under load they come few and big. */
  spacingMs?: number;
  /** Whether the items of a failed batch should be tried one by one, so that one cannot spoil the others. */
  retryAlone: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit in small: an item goes at once if no batch is running; items that arrive meanwhile form the next batch.
 * So a lone caller waits for nothing, and under load the number of statements stays small.
 */
export function makeBatcher<Item, Result>(run: RunBatch<Item, Result>, options: BatcherOptions) {
  const { most, concurrency, spacingMs = 0 } = options;
  const queue: Waiting<Item, Result>[] = [];
  let running = 0;
  let planned = false;
  let earliest = 0;
  /** Items in the last batch. */
  let last = 0;

  /** What is to be told to the callers once the next batch is on its way. */
  async function runOne({ item, resolve, reject }: Waiting<Item, Result>): Promise<() => void> {
    try {
      const [result] = await run([item]);
      return () => resolve(result as Result);
    } catch (error) {
      return () => reject(error);
    }
  }

  async function runTogether(batch: Waiting<Item, Result>[]): Promise<() => void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      return () => {
        batch.forEach(({ resolve }, i) => {
          resolve(results[i] as Result);
        });
      };
    } catch (error) {
      if (batch.length === 1 || !options.retryAlone(error)) {
        return () => {
          for (const { reject } of batch) reject(error);
        };
      }
      for (const waiting of batch) setImmediate(await runOne(waiting));
      return () => {};
    }
  }

  function start() {
    planned = false;
    while (running < concurrency && queue.length > 0) {
      if (performance.now() < earliest) return plan();
      earliest = performance.now() + spacingMs;
      running++;
      last = Math.min(most, queue.length);
      void runTogether(queue.splice(0, most)).then((tell) => {
        running--;
        // Far fewer than last time: the requests that have already arrived go first, and one batch serves them all.
        if (queue.length * 2 < last) plan();
        else start();
        // The next batch goes out first: the database works on it while the callers of this one are answered.
        setImmediate(tell);
      });
    }
  }

  function plan() {
    if (planned || running >= concurrency || queue.length === 0) return;
    planned = true;
    const wait = earliest - performance.now();
    // At the earliest after the requests that have already arrived, which may bring more items.
    if (wait > 0) setTimeout(start, wait);
    else inTurn(start);
  }

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      plan();
    });
}
