// When a scheduled workflow runs. Pure: the clock is a parameter. Daylight saving: with an hour field of `*`, the workflow runs
// in every real hour, including the repeated one. Any other hour field names wall-clock times, each of which runs exactly once
// a day: at its first occurrence when the clocks go back, and at the moment of the change when they skip it.
import { Cron } from 'croner';
import { Temporal } from 'temporal-polyfill';

const MINUTE = 60_000;

/** Why a cron expression is invalid, as a message for its author; null if it is valid. */
export function cronProblem(expression: string): string | null {
  const fields = fieldsOf(expression);
  if (fields.length !== 5) {
    return `a schedule must have 5 fields (minute, hour, day of month, month, day of week), but this one has ${fields.length}`;
  }
  try {
    // A fixed day makes the result reproducible. Leap days are within the search range.
    const comes = wallClock(expression).nextRun(new Date('2000-01-01T00:00:00Z'));
    return comes ? null : 'the schedule never runs, because its date does not exist';
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
  }
}

/** The first run strictly after an instant; null if the schedule never runs again. */
export function nextRun(cron: string, zone: string, after: Date): Date | null {
  if (fieldsOf(cron)[1] === '*') return realTime(cron, zone).nextRun(after);
  const wall = wallClock(cron);
  let candidate = wall.nextRun(toWall(after, zone));
  // In a repeated hour, the wall clock repeats times that have already run.
  while (candidate && toInstant(candidate, zone) <= after) candidate = wall.nextRun(candidate);
  return candidate && toInstant(candidate, zone);
}

/**
 * The run that is due now, or null. After downtime it is the latest missed one, so a catch-up runs once. For a schedule that
 * has not run yet, lastScheduledAt is its creation time.
 */
export function dueRun(input: { cron: string; zone: string; lastScheduledAt: Date; now: Date }): Date | null {
  const { cron, zone, lastScheduledAt, now } = input;
  const next = (after: Date) => {
    const run = nextRun(cron, zone, after);
    return run && run <= now ? run : null;
  };
  let due = next(lastScheduledAt);
  if (!due) return null;
  // Bisects the remaining time instead of visiting every missed run, because downtime may be long.
  let none = now.getTime();
  while (none - due.getTime() >= MINUTE) {
    const middle = due.getTime() + Math.floor((none - due.getTime()) / 2);
    const later = next(new Date(middle));
    if (later) due = later;
    else none = middle;
  }
  return due;
}

function fieldsOf(expression: string): string[] {
  return expression.split(/\s+/).filter((field) => field !== '');
}

function realTime(cron: string, zone: string): Cron {
  return new Cron(cron, { mode: '5-part', timezone: zone, paused: true });
}

/** Computes on a wall clock without offset changes. Such times are held in Dates as if they were UTC. */
function wallClock(cron: string): Cron {
  return realTime(cron, 'UTC');
}

function toWall(instant: Date, zone: string): Date {
  const wall = Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime();
  return new Date(wall.toZonedDateTime('UTC').epochMilliseconds);
}

function toInstant(wall: Date, zone: string): Date {
  const plain = Temporal.Instant.fromEpochMilliseconds(wall.getTime())
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime();
  const earlier = plain.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (earlier.toPlainDateTime().equals(plain)) return new Date(earlier.epochMilliseconds);
  // The wall clock skipped this time. The change is just after the earlier of the two readings.
  const change = earlier.getTimeZoneTransition('next') ?? earlier;
  return new Date(change.epochMilliseconds);
}
