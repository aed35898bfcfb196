import { expect, test } from 'vitest';
import { makeFairShare, type Seat } from '../../src/lib/fair-share.ts';

const seatOf = (entered: Seat | number): Seat => {
  if (typeof entered === 'number') throw new Error('no seat');
  return entered;
};

/** Enters and records when the job gets its slot. */
function job(share: ReturnType<typeof makeFairShare>, center: number, started: number[]): Seat {
  const seat = seatOf(share.enter(center));
  void seat.resume().then(() => started.push(center));
  return seat;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a free slot goes to the waiting center that uses the fewest slots', async () => {
  const share = makeFairShare({ slots: 4, claims: 64 });
  const started: number[] = [];
  const busy = Array.from({ length: 10 }, () => job(share, 1, started));
  await settled();
  // No other center waits, so one center has all of them.
  expect(started).toEqual([1, 1, 1, 1]);
  job(share, 2, started);
  job(share, 3, started);
  job(share, 2, started);
  for (const seat of busy.slice(0, 4)) seat.leave();
  await settled();
  expect(started.slice(4)).toEqual([2, 3, 1, 2]);
});

test('a center that holds a quarter of the claims is deferred, others are not', () => {
  const share = makeFairShare({ slots: 1, claims: 16 });
  const seats = Array.from({ length: 4 }, () => seatOf(share.enter(1)));
  const delays = [share.enter(1), share.enter(1)] as number[];
  expect(delays[0]).toBeGreaterThanOrEqual(500);
  expect(delays[1]).toBeGreaterThan(delays[0]!);
  expect(share.enter(2)).toBeTypeOf('object');
  seats[0]!.leave();
  expect(share.enter(1)).toBeTypeOf('object');
  // Jobs without a center, such as the hourly cleanup, are never deferred.
  for (let i = 0; i < 20; i++) expect(share.enter()).toBeTypeOf('object');
});

test('a job that waits for an outbound call releases its slot', async () => {
  const share = makeFairShare({ slots: 1, claims: 16 });
  const started: number[] = [];
  const calling = job(share, 1, started);
  await settled();
  calling.pause();
  const other = job(share, 2, started);
  await settled();
  expect(started).toEqual([1, 2]);
  void calling.resume().then(() => started.push(1));
  await settled();
  expect(started).toEqual([1, 2]);
  other.leave();
  await settled();
  expect(started).toEqual([1, 2, 1]);
});
