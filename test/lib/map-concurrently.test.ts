import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { mapConcurrently } from '../../src/lib/semaphore.ts';

/** Work that ends on command. */
function stage() {
  const begun: number[] = [];
  const ends = new Map<number, { resolve(n: number): void; reject(error: Error): void }>();
  const work = (n: number) => {
    begun.push(n);
    return new Promise<number>((resolve, reject) => ends.set(n, { resolve, reject }));
  };
  const end = async (n: number) => {
    ends.get(n)!.resolve(n);
    await setImmediate();
  };
  return { begun, ends, end, work };
}

describe('mapConcurrently', () => {
  test('a slow item delays the results, not the work on later items', async () => {
    const { begun, end, work } = stage();
    const results = mapConcurrently([0, 1, 2, 3], 2, work);
    const first = results.next();
    await setImmediate();
    expect(begun).toEqual([0, 1]);
    await end(1);
    await end(2);
    expect(begun).toEqual([0, 1, 2, 3]);
    await end(3);
    await end(0);
    expect(await first).toEqual({ done: false, value: 0 });
    const others: number[] = [];
    for await (const result of results) others.push(result);
    expect(others).toEqual([1, 2, 3]);
  });

  test('runs ahead of the consumer only up to the limit', async () => {
    const begun: number[] = [];
    const results = mapConcurrently(Array(100).keys(), 2, async (n) => begun.push(n));
    await results.next();
    await setImmediate();
    expect(begun.length).toBeLessThanOrEqual(4);
    await results.return(undefined);
    expect(begun.length).toBeLessThanOrEqual(4);
  });

  test('a failure is reported in order and ends the iteration', async () => {
    const results = mapConcurrently([0, 1, 2], 3, async (n) => {
      if (n > 0) throw new Error(`no ${n}`);
      return n;
    });
    expect(await results.next()).toEqual({ done: false, value: 0 });
    await expect(results.next()).rejects.toThrow('no 1');
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });

  test('waits for running work when the consumer stops', async () => {
    const { ends, end, work } = stage();
    const results = mapConcurrently([0, 1], 2, work);
    const first = results.next();
    await end(0);
    await first;
    let stopped = false;
    const stopping = results.return(undefined).then(() => {
      stopped = true;
    });
    await setImmediate();
    expect(stopped).toBe(false);
    ends.get(1)!.reject(new Error('too late to matter'));
    await stopping;
  });
});
