import { expect, test } from 'vitest';
import { scheduleWords } from '../../src/web/console/text/schedule.ts';

test.each([
  ['0 8 * * 1', 'UTC', 'Mondays at 08:00 UTC'],
  ['30 17 * * *', 'Europe/Berlin', 'Every day at 17:30 Europe/Berlin'],
  ['5 9 * * 1-5', 'America/New_York', 'Mondays to Fridays at 09:05 America/New York'],
  ['0 6 * * 0,3,6', 'UTC', 'Sundays, Wednesdays and Saturdays at 06:00 UTC'],
  ['0 0 1 * *', 'UTC', 'Day 1 of every month at 00:00 UTC'],
  // Either of the two days: too much for a few words.
  ['0 8 1 * 1', 'UTC', 'On schedule: 0 8 1 * 1 (UTC)'],
  ['*/5 * * * *', 'UTC', 'On schedule: */5 * * * * (UTC)'],
  ['0 8 * 2 1', 'UTC', 'On schedule: 0 8 * 2 1 (UTC)'],
  ['0 8 * * MON', 'UTC', 'On schedule: 0 8 * * MON (UTC)'],
])('%s in %s', (cron, zone, words) => {
  expect(scheduleWords(cron, zone)).toBe(words);
});
