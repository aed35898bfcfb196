import { metered } from './row-meter.ts';
import { inTurn } from './turn-queue.ts';

/** Processes the items of many callers as one batch; results are in the order of the items. */
type RunBatch<Item, Result> = (items: Item[]) => Promise<Result[]>;

export interface BatcherOptions {
  most: number;
  concurrency: number;
  /** Minimum time between the starts of two batches, so that under load there are few, large batches. */
  spacingMs?: number;
  /** Whether the items of a failed batch are retried one by one, so that one bad item cannot fail the others. */
  retryAlone: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Coalesces items into batches: an item is processed immediately if no batch is running, and items that arrive meanwhile form
 * the next batch. A single caller never waits, and under load the number of statements stays small.
 */
export function makeBatcher<Item, Result>(load: RunBatch<Item, Result>, options: BatcherOptions) {
  const { most, concurrency, spacingMs = 0 } = options;
  // A batch serves many callers, so its rows count for none of them.
  const run: RunBatch<Item, Result> = (items) => metered(null, () => load(items));
  const queue: Waiting<Item, Result>[] = [];
  let running = 0;
  let planned = false;
  let earliest = 0;
  /** Items in the last batch. */
  let last = 0;

  /** The callers of the last batch, answered once the next batch has been sent. */
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
        // Far fewer items than last time: let requests that have already arrived add theirs first.
        if (queue.length * 2 < last) plan();
        else start();
        // Send the next batch first: the database works on it while the callers of this one are answered.
        setImmediate(tell);
      });
    }
  }

  function plan() {
    if (planned || running >= concurrency || queue.length === 0) return;
    planned = true;
    const wait = earliest - performance.now();
    // Runs after the requests that have already arrived, which may add items.
    if (wait > 0) setTimeout(start, wait);
    else inTurn(start);
  }

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      plan();
    });
}
