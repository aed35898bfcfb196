import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cronProblem, dueRun, nextRun } from '../../src/domain/workflows/schedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Starts of three-day spans with a clock change in the middle, or without one. */
const SPANS: [zone: string, start: string][] = [
  ['Europe/Berlin', '2026-03-28T00:00:00Z'],
  ['Europe/Berlin', '2026-10-24T00:00:00Z'],
  ['America/New_York', '2026-03-07T12:00:00Z'],
  ['America/New_York', '2026-10-31T12:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T00:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T00:00:00Z'],
  ['America/Sao_Paulo', '2018-11-03T00:00:00Z'],
  ['Asia/Kathmandu', '2026-03-28T00:00:00Z'],
  ['UTC', '2026-02-27T00:00:00Z'],
];

function runs(cron: string, zone: string, from: Date, to: Date): string[] {
  const found: string[] = [];
  for (let at = nextRun(cron, zone, from); at && at <= to; at = nextRun(cron, zone, at)) {
    found.push(at.toISOString());
  }
  return found;
}

const minuteIn = (zone: string) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' });
  return (at: number) => {
    const [hour, minute] = format.format(at).split(':').map(Number);
    return hour! * 60 + minute!;
  };
};

const spanArb = fc.constantFrom(...SPANS);

describe('nextRun', () => {
  it('runs a daily job exactly once on every local date, also when the clocks change', () => {
    fc.assert(
      fc.property(spanArb, fc.integer({ min: 0, max: 1439 }), ([zone, start], minute) => {
        const date = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
        const from = new Date(start);
        const to = new Date(from.getTime() + 96 * HOUR);
        const cron = `${minute % 60} ${Math.floor(minute / 60)} * * *`;
        const days = runs(cron, zone, from, to).map((at) => date.format(new Date(at)));
        // The first and the last date may be only partly within the span.
        const whole = new Set<string>();
        for (let at = from.getTime() + 24 * HOUR; at <= to.getTime() - 25 * HOUR; at += HOUR)
          whole.add(date.format(at));
        for (const day of whole) expect(days.filter((other) => other === day)).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });

  it('runs a job with several hours once for each of them', () => {
    const on = (start: string) => {
      const from = new Date(start);
      return runs('30 2,14 * * *', 'Europe/Berlin', from, new Date(from.getTime() + 24 * HOUR));
    };
    expect(on('2026-03-28T22:00:00Z')).toEqual(['2026-03-29T01:00:00.000Z', '2026-03-29T12:30:00.000Z']);
    expect(on('2026-10-24T22:00:00Z')).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T13:30:00.000Z']);
  });

  it('runs once when two times fall on the moment of the clock change', () => {
    const from = new Date('2026-03-28T23:00:00Z');
    expect(runs('0,30 2-3 * * *', 'Europe/Berlin', from, new Date('2026-03-29T03:00:00Z'))).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T01:30:00.000Z',
    ]);
  });

  it('with every hour in the cron, runs whenever the wall clock shows the minute', () => {
    fc.assert(
      fc.property(spanArb, fc.integer({ min: 1, max: 60 }), ([zone, start], step) => {
        const from = new Date(start);
        const to = new Date(from.getTime() + 60 * HOUR);
        const shows = minuteIn(zone);
        const expected: string[] = [];
        for (let at = from.getTime() + MINUTE; at <= to.getTime(); at += MINUTE) {
          if ((shows(at) % 60) % step === 0) expected.push(new Date(at).toISOString());
        }
        expect(runs(`*/${step} * * * *`, zone, from, to)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('always advances, and there is no run between an instant and the result', () => {
    const crons = ['30 2 * * *', '*/7 1-3 * * *', '15 */2 * * *', '0 * * * *', '59 23 * * 1-5', '0 0 1 * *'];
    const scenario = fc.tuple(spanArb, fc.constantFrom(...crons), fc.nat(72 * HOUR), fc.nat());
    fc.assert(
      fc.property(scenario, ([[zone, start], cron, offset, part]) => {
        const after = new Date(new Date(start).getTime() + offset);
        const next = nextRun(cron, zone, after)!;
        expect(next > after).toBe(true);
        const between = new Date(after.getTime() + (part % (next.getTime() - after.getTime())));
        expect(nextRun(cron, zone, between)).toEqual(next);
      }),
      { numRuns: 500 },
    );
  });
});

describe('dueRun', () => {
  const due = (cron: string, last: string, now: string, zone = 'UTC') =>
    dueRun({ cron, zone, lastScheduledAt: new Date(last), now: new Date(now) })?.toISOString() ?? null;

  it('returns nothing before the time, the run at the time, and nothing once it was taken', () => {
    expect(due('0 9 * * *', '2026-06-01T09:00:00Z', '2026-06-02T08:59:59.999Z')).toBeNull();
    expect(due('0 9 * * *', '2026-06-01T09:00:00Z', '2026-06-02T09:00:00Z')).toBe('2026-06-02T09:00:00.000Z');
    expect(due('0 9 * * *', '2026-06-02T09:00:00Z', '2026-06-02T09:00:30Z')).toBeNull();
  });

  it('returns only the latest of the missed runs after a long downtime', () => {
    expect(due('* * * * *', '2020-01-01T00:00:00Z', '2026-06-01T12:34:56Z')).toBe('2026-06-01T12:34:00.000Z');
    expect(due('0 0 1 1 *', '2020-01-01T00:00:00Z', '2026-06-01T12:34:56Z')).toBe('2026-01-01T00:00:00.000Z');
  });

  it('returns nothing when the clock is before the last run', () => {
    expect(due('* * * * *', '2026-06-01T12:00:00Z', '2026-06-01T11:00:00Z')).toBeNull();
  });

  it('returns the last run of the interval, once', () => {
    const crons = ['30 2 * * *', '*/7 1-3 * * *', '0 * * * *', '45 1,2 * * *', '* 2 * * *'];
    const scenario = fc.tuple(spanArb, fc.constantFrom(...crons), fc.nat(48 * HOUR), fc.nat(30 * HOUR));
    fc.assert(
      fc.property(scenario, ([[zone, start], cron, offset, downtime]) => {
        const lastScheduledAt = new Date(new Date(start).getTime() + offset);
        const now = new Date(lastScheduledAt.getTime() + downtime);
        const found = dueRun({ cron, zone, lastScheduledAt, now });
        expect(found?.toISOString()).toBe(runs(cron, zone, lastScheduledAt, now).at(-1));
        if (found) expect(dueRun({ cron, zone, lastScheduledAt: found, now })).toBeNull();
      }),
      { numRuns: 200 },
    );
  });

  it('polled every five minutes across a clock change, returns each run once', () => {
    for (const [zone, start] of SPANS) {
      const from = new Date(start);
      const to = new Date(from.getTime() + 48 * HOUR);
      let lastScheduledAt = from;
      const taken: string[] = [];
      for (let at = from.getTime(); at <= to.getTime(); at += 5 * MINUTE) {
        const found = dueRun({ cron: '30 2 * * *', zone, lastScheduledAt, now: new Date(at) });
        if (!found) continue;
        taken.push(found.toISOString());
        lastScheduledAt = found;
      }
      expect(taken).toEqual(runs('30 2 * * *', zone, from, to));
    }
  });
});

describe('cron expressions', () => {
  it.each(['* * * * *', '*/15 9-17 * * 1-5', '0 0 1 JAN *', '30 2 29 2 *', '  0 6 * * MON '])(
    'accepts %j',
    (cron) => {
      expect(cronProblem(cron)).toBeNull();
    },
  );

  it.each([
    ['', /5 fields.* has 0/],
    ['* * * *', /5 fields.* has 4/],
    ['*/10 * * * * *', /5 fields.* has 6/],
    ['@daily', /5 fields/],
    ['2030-01-01T00:00:00Z', /5 fields/],
    ['60 * * * *', /minute: 60/],
    ['0 25 * * *', /hour: 25/],
    ['*/0 * * * *', /stepping/],
    ['a b c d e', /illegal characters/],
    ['0 0 30 2 *', /never runs/],
  ])('rejects %j with the reason', (cron, why) => {
    expect(cronProblem(cron)).toMatch(why);
  });
});
