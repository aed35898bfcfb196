import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeEndpointThrottle, type Outcome } from '../../src/domain/webhooks/endpoint-throttle.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** An endpoint that answers on command. */
function endpoint() {
  const pending: ((outcome: Outcome) => void)[] = [];
  return {
    attempt: () => new Promise<Outcome>((resolve) => pending.push(resolve)),
    underWay: () => pending.length,
    async answerAll(outcome: Outcome) {
      for (const resolve of pending.splice(0)) resolve(outcome);
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

test('an endpoint that stops responding keeps few attempts, and its other deliveries are deferred', async () => {
  const throttle = makeEndpointThrottle();
  const dead = endpoint();
  const delays: (number | null)[] = [];
  for (let i = 0; i < 100; i++) void throttle.run('dead', dead.attempt).then((delay) => delays.push(delay));
  await vi.advanceTimersByTimeAsync(0);
  const began = dead.underWay();
  expect(began).toBeLessThanOrEqual(4);
  await vi.advanceTimersByTimeAsync(1_000);
  // All but the running ones were deferred, one after another.
  expect(delays).toHaveLength(100 - began);
  expect(delays.every((delay) => delay !== null && delay >= 500)).toBe(true);

  await dead.answerAll({ ok: false, durationMs: 5_000 });
  for (let i = 0; i < 10; i++) void throttle.run('dead', dead.attempt);
  await vi.advanceTimersByTimeAsync(0);
  expect(dead.underWay()).toBe(1);
  await dead.answerAll({ ok: false, durationMs: 5_000 });
});

test('the concurrency of a responsive endpoint grows, is halved by a failure, and grows again', async () => {
  const throttle = makeEndpointThrottle();
  const quick = endpoint();
  const outcome = { ok: true, durationMs: 2 };
  const done: (number | null)[] = [];
  const offer = async (count: number) => {
    for (let i = 0; i < count; i++)
      void throttle.run('quick', quick.attempt).then((delay) => done.push(delay));
    await vi.advanceTimersByTimeAsync(0);
  };
  await offer(30);
  expect(quick.underWay()).toBe(4);
  while (quick.underWay() > 0) await quick.answerAll(outcome);
  expect(done).toEqual(Array(30).fill(null));
  await offer(40);
  expect(quick.underWay()).toBe(32);
  while (quick.underWay() > 0) await quick.answerAll(outcome);

  await offer(1);
  await quick.answerAll({ ok: false, durationMs: 2 });
  await offer(40);
  expect(quick.underWay()).toBe(16);
  while (quick.underWay() > 0) await quick.answerAll(outcome);
});

test('endpoints do not affect each other', async () => {
  const throttle = makeEndpointThrottle();
  const dead = endpoint();
  for (let i = 0; i < 50; i++) void throttle.run('dead', dead.attempt);
  const other = throttle.run('other', async () => ({ ok: true, durationMs: 1 }));
  await vi.advanceTimersByTimeAsync(0);
  expect(await other).toBeNull();
  await vi.advanceTimersByTimeAsync(1_000);
  await dead.answerAll({ ok: false, durationMs: 5_000 });
});
