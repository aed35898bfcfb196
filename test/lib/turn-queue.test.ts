import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { deferDetached, inTurn } from '../../src/lib/turn-queue.ts';

/** Keeps the processor busy, as a request does. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('work starts in order, and the event loop continues before all of it is done', async () => {
  const done: (number | 'reply')[] = [];
  const all = Array.from(
    { length: 30 },
    (_, n) =>
      new Promise<void>((resolve) =>
        inTurn(() => {
          work(2);
          done.push(n);
          resolve();
        }),
      ),
  );
  const reply = sleep(0).then(() => done.push('reply'));
  await Promise.all([...all, reply]);
  expect(done.filter((each) => each !== 'reply')).toEqual(Array.from({ length: 30 }, (_, n) => n));
  expect(done.at(-1)).not.toBe('reply');
});

test('short work items share one turn', async () => {
  const inOneTurn: number[] = [];
  let turnEnded = false;
  const all = Array.from(
    { length: 3 },
    (_, n) =>
      new Promise<void>((resolve) =>
        inTurn(() => {
          if (n === 0) setImmediate(() => (turnEnded = true));
          if (!turnEnded) inOneTurn.push(n);
          resolve();
        }),
      ),
  );
  await Promise.all(all);
  expect(inOneTurn).toEqual([0, 1, 2]);
});

test('work runs in the context of its submitter', async () => {
  const caller = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const hand = () => new Promise<void>((resolve) => inTurn(() => resolve(void seen.push(caller.getStore()))));
  await Promise.all([caller.run('first', hand), caller.run('second', hand), hand()]);
  expect(seen).toEqual(['first', 'second', undefined]);
});

test('detached work runs without the context of its submitter', async () => {
  const caller = new AsyncLocalStorage<string>();
  const seen = await caller.run('somebody', () => {
    return new Promise((resolve) => deferDetached(() => resolve(caller.getStore())));
  });
  expect(seen).toBeUndefined();
});
