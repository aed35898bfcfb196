import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AvailabilityRule,
  availableSlots,
  dayBounds,
  isTimeZone,
  localDate,
  type Slot,
} from '../../src/domain/centers/slots.ts';

const MINUTE = 60_000;
const LONG_AGO = new Date('1990-01-01T00:00:00Z');

/** Days with clock changes, a day that the zone skipped, and ordinary ones. */
const DAYS: [zone: string, date: string][] = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['Europe/Berlin', '2026-06-10'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['America/Sao_Paulo', '2018-11-04'],
  ['America/Sao_Paulo', '2018-02-17'],
  ['America/Sao_Paulo', '2018-02-18'],
  ['America/St_Johns', '2006-10-28'],
  ['America/St_Johns', '2006-10-29'],
  ['Asia/Kathmandu', '2026-03-29'],
  ['Pacific/Apia', '2011-12-30'],
  ['UTC', '2026-01-01'],
];

// Creating a formatter is slow, and the same minutes recur.
const formatters = new Map(
  DAYS.map(([zone]) => [
    zone,
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }),
  ]),
);
const shown = new Map<string, { date: string; minute: number }>();

/** The wall clock time, read through Intl: independent of the code under test. */
function wallClock(at: number, zone: string): { date: string; minute: number } {
  const key = `${zone} ${at}`;
  const known = shown.get(key);
  if (known) return known;
  const [date = '', time = ''] = formatters.get(zone)!.format(at).split(' ');
  const wall = { date, minute: Number(time.slice(0, 2)) * 60 + Number(time.slice(3)) };
  shown.set(key, wall);
  return wall;
}

const weekdayOf = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay() || 7;

const rule = (date: string, fields: Partial<AvailabilityRule> = {}): AvailabilityRule => ({
  instructorId: 'ann',
  weekday: weekdayOf(date),
  startMinute: 540,
  endMinute: 720,
  slotMinutes: 60,
  ...fields,
});

const starts = (slots: Slot[]) => slots.map(({ startsAt }) => startsAt.toISOString());

const slotsOf = (zone: string, date: string, fields: Partial<AvailabilityRule> = {}, now = LONG_AGO) =>
  availableSlots({ date, zone, rules: [rule(date, fields)], busy: [], now });

const dayArb = fc.constantFrom(...DAYS);
const ruleArb = (date: string) =>
  fc
    .record({
      instructorId: fc.constantFrom('ann', 'bob'),
      weekday: fc.constantFrom(weekdayOf(date), weekdayOf(date), (weekdayOf(date) % 7) + 1),
      // Clocks change at night.
      startMinute: fc.oneof(fc.integer({ min: 0, max: 240 }), fc.integer({ min: 0, max: 1439 })),
      length: fc.integer({ min: 1, max: 600 }),
      slotMinutes: fc.integer({ min: 5, max: 180 }),
    })
    .map(({ length, ...fields }) => ({ ...fields, endMinute: Math.min(1440, fields.startMinute + length) }));

const scenarioArb = dayArb.chain(([zone, date]) => {
  const { from, to } = dayBounds(date, zone);
  const instant = fc.integer({ min: from.getTime() - 3_600_000, max: to.getTime() + 3_600_000 });
  const busy = fc
    .tuple(instant, fc.integer({ min: 1, max: 120 }), fc.constantFrom('ann', 'bob'))
    .map(([start, minutes, instructorId]) => ({
      instructorId,
      startsAt: new Date(start),
      endsAt: new Date(start + minutes * MINUTE),
    }));
  return fc.record({
    zone: fc.constant(zone),
    date: fc.constant(date),
    rules: fc.array(ruleArb(date), { maxLength: 5 }),
    busy: fc.array(busy, { maxLength: 5 }),
    now: fc.oneof(
      fc.constant(LONG_AGO),
      instant.map((at) => new Date(at)),
    ),
  });
});

const overlap = (a: Slot, b: Slot) =>
  a.instructorId === b.instructorId && a.startsAt < b.endsAt && b.startsAt < a.endsAt;

describe('availableSlots on any day', () => {
  it('keeps each slot within one rule and at its full real length', () => {
    fc.assert(
      fc.property(scenarioArb, (scenario) => {
        for (const slot of availableSlots(scenario)) {
          const start = slot.startsAt.getTime();
          const length = (slot.endsAt.getTime() - start) / MINUTE;
          const minutes = Array.from({ length }, (_, i) => wallClock(start + i * MINUTE, scenario.zone));
          const home = scenario.rules.find(
            (candidate) =>
              candidate.instructorId === slot.instructorId &&
              candidate.weekday === weekdayOf(scenario.date) &&
              candidate.slotMinutes === length &&
              (minutes[0]!.minute - candidate.startMinute) % length === 0 &&
              minutes.every(
                ({ date, minute }) =>
                  date === scenario.date && minute >= candidate.startMinute && minute < candidate.endMinute,
              ),
          );
          expect(home).toBeDefined();
        }
      }),
      { numRuns: 300 },
    );
  });

  it('never overlaps busy time, the past or another slot of the instructor, and is sorted', () => {
    fc.assert(
      fc.property(scenarioArb, (scenario) => {
        const slots = availableSlots(scenario);
        for (const [i, slot] of slots.entries()) {
          expect(slot.startsAt >= scenario.now).toBe(true);
          expect(scenario.busy.some((taken) => overlap(slot, taken))).toBe(false);
          expect(slots.slice(i + 1).some((other) => overlap(slot, other))).toBe(false);
          const next = slots[i + 1];
          if (next) expect(slot.startsAt <= next.startsAt).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('offers every slot of a single rule that fits', () => {
    fc.assert(
      fc.property(
        dayArb.chain(([zone, date]) => fc.tuple(fc.constant(zone), fc.constant(date), ruleArb(date))),
        ([zone, date, lone]) => {
          const slots = availableSlots({ date, zone, rules: [lone], busy: [], now: LONG_AGO });
          const { from, to } = dayBounds(date, zone);
          const length = lone.slotMinutes;
          const expected: number[] = [];
          let freeFrom = Number.NEGATIVE_INFINITY;
          const fits = (at: number) => {
            const wall = wallClock(at, zone);
            return wall.date === date && wall.minute >= lone.startMinute && wall.minute < lone.endMinute;
          };
          for (let at = from.getTime(); at < to.getTime(); at += MINUTE) {
            if (lone.weekday !== weekdayOf(date) || at < freeFrom || !fits(at)) continue;
            const { minute } = wallClock(at, zone);
            const onGrid = (minute - lone.startMinute) % length === 0 && minute + length <= lone.endMinute;
            if (!onGrid) continue;
            if (Array.from({ length }, (_, i) => at + i * MINUTE).every(fits)) {
              expected.push(at);
              freeFrom = at + length * MINUTE;
            }
          }
          expect(slots.map(({ startsAt }) => startsAt.getTime())).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('does not depend on the order of rules and bookings', () => {
    fc.assert(
      fc.property(scenarioArb, (scenario) => {
        const reversed = {
          ...scenario,
          rules: scenario.rules.toReversed(),
          busy: scenario.busy.toReversed(),
        };
        expect(availableSlots(reversed)).toEqual(availableSlots(scenario));
      }),
    );
  });

  it('fills a day without clock change with as many slots as fit', () => {
    fc.assert(
      fc.property(ruleArb('2026-06-10'), (lone) => {
        const slots = slotsOf('Europe/Berlin', '2026-06-10', { ...lone, weekday: 3 });
        expect(slots).toHaveLength(Math.floor((lone.endMinute - lone.startMinute) / lone.slotMinutes));
      }),
    );
  });
});

describe('availableSlots on days with a daylight saving change', () => {
  const night = { startMinute: 60, endMinute: 240 };

  it('skips the hour that does not exist in Berlin', () => {
    expect(starts(slotsOf('Europe/Berlin', '2026-03-29', night))).toEqual([
      '2026-03-29T00:00:00.000Z',
      '2026-03-29T01:00:00.000Z',
    ]);
  });

  it('offers the repeated hour in Berlin twice', () => {
    expect(starts(slotsOf('Europe/Berlin', '2026-10-25', night))).toEqual([
      '2026-10-24T23:00:00.000Z',
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T02:00:00.000Z',
    ]);
  });

  it('never returns overlapping slots in a repeated hour', () => {
    expect(
      starts(slotsOf('Europe/Berlin', '2026-10-25', { startMinute: 0, endMinute: 360, slotMinutes: 120 })),
    ).toEqual(['2026-10-24T22:00:00.000Z', '2026-10-25T00:00:00.000Z', '2026-10-25T03:00:00.000Z']);
  });

  it('handles a change by half an hour', () => {
    expect(starts(slotsOf('Australia/Lord_Howe', '2026-10-04', { ...night, slotMinutes: 30 }))).toHaveLength(
      5,
    );
    expect(starts(slotsOf('Australia/Lord_Howe', '2026-04-05', { ...night, slotMinutes: 30 }))).toHaveLength(
      7,
    );
  });

  it('starts at the first existing hour on a day without midnight', () => {
    const slots = slotsOf('America/Sao_Paulo', '2018-11-04', { startMinute: 0, endMinute: 120 });
    expect(starts(slots)).toEqual(['2018-11-04T03:00:00.000Z']);
  });

  it('returns nothing on a date that the time zone skipped', () => {
    expect(slotsOf('Pacific/Apia', '2011-12-30')).toEqual([]);
  });
});

describe('availableSlots by example', () => {
  const date = '2026-06-10';
  const at = (time: string) => new Date(`${date}T${time}:00Z`);

  it('leaves out slots that have started and keeps one that starts now', () => {
    expect(starts(slotsOf('UTC', date, {}, at('10:00')))).toEqual([
      `${date}T10:00:00.000Z`,
      `${date}T11:00:00.000Z`,
    ]);
  });

  it('offers a slot that starts when a booking ends', () => {
    const busy = [{ instructorId: 'ann', startsAt: at('09:00'), endsAt: at('10:00') }];
    const slots = availableSlots({ date, zone: 'UTC', rules: [rule(date)], busy, now: LONG_AGO });
    expect(starts(slots)).toEqual([`${date}T10:00:00.000Z`, `${date}T11:00:00.000Z`]);
  });

  it('merges duplicate rules of one instructor, but not those of two', () => {
    const rules = [rule(date), rule(date), rule(date, { instructorId: 'bob' })];
    const slots = availableSlots({ date, zone: 'UTC', rules, busy: [], now: LONG_AGO });
    expect(slots.map(({ instructorId }) => instructorId)).toEqual(['ann', 'bob', 'ann', 'bob', 'ann', 'bob']);
  });

  it('returns nothing for a rule or slot of zero length', () => {
    expect(slotsOf('UTC', date, { slotMinutes: 0 })).toEqual([]);
    expect(slotsOf('UTC', date, { startMinute: 600, endMinute: 600 })).toEqual([]);
  });
});

describe('days and time zones', () => {
  it('dayBounds returns the real length of a day', () => {
    const hours = (zone: string, date: string) => {
      const { from, to } = dayBounds(date, zone);
      return (to.getTime() - from.getTime()) / (60 * MINUTE);
    };
    expect(hours('Europe/Berlin', '2026-06-10')).toBe(24);
    expect(hours('Europe/Berlin', '2026-03-29')).toBe(23);
    expect(hours('Europe/Berlin', '2026-10-25')).toBe(25);
    expect(hours('Australia/Lord_Howe', '2026-10-04')).toBe(23.5);
    expect(hours('Pacific/Apia', '2011-12-30')).toBe(0);
  });

  it('every slot lies within the bounds of the day', () => {
    fc.assert(
      fc.property(scenarioArb, (scenario) => {
        const { from, to } = dayBounds(scenario.date, scenario.zone);
        for (const slot of availableSlots(scenario)) {
          expect(slot.startsAt >= from && slot.endsAt <= to).toBe(true);
        }
      }),
    );
  });

  it('localDate returns the date in the time zone of the center', () => {
    const now = new Date('2026-06-10T18:30:00Z');
    expect(localDate(now, 'Asia/Kathmandu')).toBe('2026-06-11');
    expect(localDate(now, 'America/New_York')).toBe('2026-06-10');
  });

  it('isTimeZone accepts IANA names only', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'America/Argentina/Ushuaia'])
      expect(isTimeZone(zone)).toBe(true);
    for (const zone of ['', 'Berlin', 'Mars/Base', '+02:00', '-0500', 'Z'])
      expect(isTimeZone(zone)).toBe(false);
  });
});
