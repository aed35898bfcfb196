import { expect, test } from 'vitest';
import { makeAsyncQueue } from '../../src/lib/async-queue.ts';

function make(limit = 10) {
  const seen = { closed: 0 };
  const queue = makeAsyncQueue<number>({ limit, onClose: () => seen.closed++ });
  return { queue, seen };
}

test('pushed values are read in order, and readers wait for further values', async () => {
  const { queue, seen } = make();
  queue.push(1);
  queue.push(2);
  expect(await queue.next()).toEqual({ done: false, value: 1 });
  expect(await queue.next()).toEqual({ done: false, value: 2 });
  const waiting = [queue.next(), queue.next()];
  queue.push(3);
  queue.push(4);
  expect((await Promise.all(waiting)).map(({ value }) => value)).toEqual([3, 4]);
  expect(seen.closed).toBe(0);
});

test('after the end, queued values are still read, and waiting readers finish', async () => {
  const { queue, seen } = make();
  queue.push(1);
  queue.end();
  queue.push(2);
  const read: number[] = [];
  for await (const value of queue) read.push(value);
  expect(read).toEqual([1]);
  expect(seen.closed).toBe(1);

  const other = make();
  const waiting = other.queue.next();
  other.queue.end();
  expect(await waiting).toEqual({ done: true, value: undefined });
});

test('a reader that stops iterating closes the queue once', async () => {
  const { queue, seen } = make();
  queue.push(1);
  queue.push(2);
  for await (const value of queue) {
    expect(value).toBe(1);
    break;
  }
  queue.end();
  expect(await queue.next()).toEqual({ done: true, value: undefined });
  expect(seen.closed).toBe(1);
});

test('a queue that exceeds its limit is closed, and its values are dropped', async () => {
  const { queue, seen } = make(3);
  for (const value of [1, 2, 3]) queue.push(value);
  expect(seen.closed).toBe(0);
  queue.push(4);
  expect(seen.closed).toBe(1);
  expect(await queue.next()).toEqual({ done: true, value: undefined });
});
