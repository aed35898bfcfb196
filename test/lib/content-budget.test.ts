import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { type ContentBudget, makeContentBudget } from '../../src/lib/content-budget.ts';

const MEBIBYTE = 1_048_576;
/** A process of 64 MiB, of which a center may hold 16. */
const LIMIT_MB = 64;

const tooLarge = vi.fn();
const full = vi.fn();
let budget: ContentBudget;

beforeEach(() => {
  vi.clearAllMocks();
  budget = makeContentBudget(LIMIT_MB, { tooLarge, full });
});

const heldMb = () => budget.figures().held / MEBIBYTE;

/** Whether the reservation has been granted by now. */
async function isGranted(reservation: Promise<unknown>): Promise<boolean> {
  let granted = false;
  void reservation.then(() => (granted = true));
  await nextTurn();
  return granted;
}

test('a request reads at most 16 MiB of content, and 24 MiB in all', async () => {
  const hold = budget.open(1);
  await hold.reserve(16 * MEBIBYTE);
  await expect(hold.reserve(1)).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
  expect(budget.open(2).count(25 * MEBIBYTE)).toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
  expect(tooLarge).toHaveBeenCalledTimes(2);
  expect(heldMb()).toBe(16);
});

test('the size that was really read counts', async () => {
  const hold = budget.open(1);
  const settle = await hold.reserve(10 * MEBIBYTE);
  settle(MEBIBYTE);
  expect(heldMb()).toBe(1);
  await hold.reserve(15 * MEBIBYTE);
  expect(heldMb()).toBe(16);
  hold.release();
  expect(heldMb()).toBe(0);
});

test('a center that holds its share waits, and does not delay others', async () => {
  const first = budget.open(1);
  await first.reserve(16 * MEBIBYTE);
  const second = budget.open(1).reserve(MEBIBYTE);
  expect(await isGranted(second)).toBe(false);
  expect(full).toHaveBeenCalledWith({ centerId: 1, held: 16 * MEBIBYTE });
  expect(await isGranted(budget.open(2).reserve(16 * MEBIBYTE))).toBe(true);
  first.release();
  await second;
  expect(heldMb()).toBe(17);
});

test('reservations of a center are granted in order', async () => {
  const first = budget.open(1);
  await first.reserve(12 * MEBIBYTE);
  const large = budget.open(1).reserve(8 * MEBIBYTE);
  const small = budget.open(1).reserve(MEBIBYTE);
  expect([await isGranted(large), await isGranted(small)]).toEqual([false, false]);
  first.release();
  await Promise.all([large, small]);
});

test('four centers can fill the process; a small request of a fifth is still answered', async () => {
  const holds = [1, 2, 3, 4].map((centerId) => budget.open(centerId));
  for (const hold of holds) await hold.reserve(16 * MEBIBYTE);
  const fifth = budget.open(5);
  expect(fifth.count(10_000)).toBeNull();
  expect(fifth.count(100_000)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 });
  expect(await isGranted(budget.open(6).reserve(10_000))).toBe(true);
});

test('a reservation fails after five seconds, and leaves nothing behind', async () => {
  vi.useFakeTimers();
  try {
    const first = budget.open(1);
    await first.reserve(16 * MEBIBYTE);
    const late = expect(budget.open(1).reserve(MEBIBYTE)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    await vi.advanceTimersByTimeAsync(5_000);
    await late;
    expect(budget.figures()).toEqual({ held: 16 * MEBIBYTE, limit: LIMIT_MB * MEBIBYTE, waiting: 0 });
    first.release();
    expect(heldMb()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a caller who goes away holds nothing, whenever its reads arrive', async () => {
  const first = budget.open(1);
  await first.reserve(16 * MEBIBYTE);
  const gone = budget.open(1);
  const read = await gone.reserve(10_000);
  const waiting = expect(gone.reserve(MEBIBYTE)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  gone.abandon();
  await waiting;
  expect(budget.figures()).toMatchObject({ held: 16 * MEBIBYTE + 10_000, waiting: 0 });
  gone.release();
  first.release();
  read(MEBIBYTE / 2);
  expect(heldMb()).toBe(0);
  expect(gone.count(10_000)).toBeNull();
  expect(gone.count(100_000)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await expect(gone.reserve(1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(heldMb()).toBe(0);
});

test('each event of a subscription counts by itself', async () => {
  const hold = budget.open(1);
  await hold.reserve(16 * MEBIBYTE);
  hold.restart();
  expect(heldMb()).toBe(0);
  await hold.reserve(16 * MEBIBYTE);
  expect(heldMb()).toBe(16);
});
