import { expect, test } from 'vitest';
import { makeSemaphore } from '../../src/lib/semaphore.ts';

test('limits concurrency, starts work in order, and survives failures', async () => {
  const semaphore = makeSemaphore(2);
  const entered: number[] = [];
  let inside = 0;
  let most = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 9 }, (_, i) =>
      semaphore(async () => {
        entered.push(i);
        most = Math.max(most, ++inside);
        await new Promise(setImmediate);
        inside--;
        if (i % 3 === 0) throw new Error('no');
        return i;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(entered).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3);
  expect(await semaphore(async () => 'still open')).toBe('still open');
});
