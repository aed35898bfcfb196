import { describe, expect, test } from 'vitest';
import { type BatcherOptions, makeBatcher } from '../../src/lib/batcher.ts';

const usual: BatcherOptions = { most: 10, concurrency: 1, retryAlone: () => false };

/** A batcher whose batches are answered by hand, in any order. */
function byHand(options: Partial<BatcherOptions> = {}) {
  const batches: { items: number[]; answer(results: string[]): void; fail(error: Error): void }[] = [];
  let announced: (() => void)[] = [];
  const add = makeBatcher(
    (items: number[]) =>
      new Promise<string[]>((answer, fail) => {
        batches.push({ items, answer, fail });
        for (const tell of announced.splice(0)) tell();
      }),
    { ...usual, ...options },
  );
  const begun = async (count: number) => {
    while (batches.length < count) await new Promise<void>((resolve) => announced.push(resolve));
    announced = [];
    return batches[count - 1]!;
  };
  return { add, batches, begun };
}

const named = (items: number[]) => items.map((item) => `answer ${item}`);

test('a first call runs immediately; later ones form a batch, in order, each with its own result', async () => {
  const { add, begun, batches } = byHand();
  const first = add(1);
  const lone = await begun(1);
  expect(lone.items).toEqual([1]);
  const others = [2, 3, 4].map((item) => add(item));
  lone.answer(named([1]));
  expect(await first).toBe('answer 1');
  const together = await begun(2);
  expect(together.items).toEqual([2, 3, 4]);
  together.answer(named([2, 3, 4]));
  expect(await Promise.all(others)).toEqual(named([2, 3, 4]));
  expect(batches).toHaveLength(2);
});

test('callers in the same tick of the event loop share the first batch', async () => {
  const { add, begun } = byHand();
  const answers = [1, 2, 3].map((item) => add(item));
  const batch = await begun(1);
  expect(batch.items).toEqual([1, 2, 3]);
  batch.answer(named(batch.items));
  expect(await Promise.all(answers)).toEqual(named([1, 2, 3]));
});

test('batch size and the number of concurrent batches are limited', async () => {
  const { add, begun, batches } = byHand({ most: 2, concurrency: 2 });
  const answers = [1, 2, 3, 4, 5].map((item) => add(item));
  await begun(2);
  expect(batches.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  // Nothing starts before one of them has ended, whichever it is.
  await new Promise(setImmediate);
  expect(batches).toHaveLength(2);
  batches[1]!.answer(named([3, 4]));
  expect((await begun(3)).items).toEqual([5]);
  batches[0]!.answer(named([1, 2]));
  batches[2]!.answer(named([5]));
  expect(await Promise.all(answers)).toEqual(named([1, 2, 3, 4, 5]));
});

test('batches start at least spacingMs apart', async () => {
  const began: number[] = [];
  const add = makeBatcher(
    async (items: number[]) => {
      began.push(performance.now());
      return items;
    },
    { ...usual, spacingMs: 40 },
  );
  const before = performance.now();
  await add(1);
  expect(await Promise.all([add(2), add(3)])).toEqual([2, 3]);
  await add(4);
  expect(began).toHaveLength(3);
  expect(began[1]! - before).toBeGreaterThanOrEqual(40);
  expect(began[2]! - before).toBeGreaterThanOrEqual(80);
});

describe('when a batch fails', () => {
  const spoiled = async (items: number[]) => {
    if (items.includes(2)) throw new Error('two is not taken');
    return named(items);
  };

  test('its items are retried one by one, so that only the bad one fails', async () => {
    const runs: number[][] = [];
    const add = makeBatcher(
      (items: number[]) => {
        runs.push(items);
        return spoiled(items);
      },
      { ...usual, retryAlone: () => true },
    );
    const settled = await Promise.allSettled([1, 2, 3].map((item) => add(item)));
    expect(settled).toEqual([
      { status: 'fulfilled', value: 'answer 1' },
      { status: 'rejected', reason: new Error('two is not taken') },
      { status: 'fulfilled', value: 'answer 3' },
    ]);
    expect(runs).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  test('all of them fail if retrying alone cannot help, and the next batch continues', async () => {
    const seen: unknown[] = [];
    const add = makeBatcher(spoiled, {
      ...usual,
      retryAlone: (error) => {
        seen.push(error);
        return false;
      },
    });
    const settled = await Promise.allSettled([1, 2].map((item) => add(item)));
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(seen).toEqual([new Error('two is not taken')]);
    expect(await add(5)).toBe('answer 5');
  });

  test('a single item is not retried', async () => {
    let runs = 0;
    const add = makeBatcher(
      async () => {
        runs++;
        throw new Error('never');
      },
      { ...usual, retryAlone: () => true },
    );
    await expect(add(1)).rejects.toThrow('never');
    expect(runs).toBe(1);
  });
});
