import { expect, test } from 'vitest';
import { readSchedule, scheduleLabel, writeSchedule } from '../../apps/console/src/text/schedule.ts';

test.each([
  ['0 8 * * 1', 'Mondays at 08:00'],
  ['30 17 * * *', 'Every day at 17:30'],
  ['5 9 * * 1-5', 'Mondays to Fridays at 09:05'],
  ['0 6 * * 0,3,6', 'Sundays, Wednesdays and Saturdays at 06:00'],
  ['0 0 1 * *', 'Day 1 of every month at 00:00'],
  ['15 * * * *', 'Every hour at minute 15'],
])('%s is shown as "%s" and saved unchanged', (cron, words) => {
  expect(scheduleLabel(cron)).toBe(words);
  expect(writeSchedule(readSchedule(cron)!)).toBe(cron);
});

test.each([
  // Either of the two days: too much for a few words.
  '0 8 1 * 1',
  '*/5 * * * *',
  '0 8 * 2 1',
  '0 8 * * MON',
  '61 8 * * 1',
  '0 8 * *',
])('%s is not offered in the simple schedule picker', (cron) => {
  expect(readSchedule(cron)).toBeNull();
  expect(scheduleLabel(cron)).toBe(`On schedule: ${cron}`);
});
