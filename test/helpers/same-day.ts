import { setTimeout as sleep } from 'node:timers/promises';
import { Temporal } from 'temporal-polyfill';

/** For tests that count by day: if midnight is near, waits until it has passed, so that the whole test is in one day. */
export async function inOneDay(zone = 'UTC', seconds = 30): Promise<void> {
  const now = Temporal.Now.zonedDateTimeISO(zone);
  const midnight = now.add({ days: 1 }).startOfDay();
  const left = now.until(midnight).total('milliseconds');
  if (left < seconds * 1_000) await sleep(left + 10);
}
