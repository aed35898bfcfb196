// Slot arithmetic: which times of a day an instructor can still be booked for. Pure: the clock is a parameter.
//
// Daylight saving: a day is divided into intervals of constant UTC offset, and the weekly rule is applied to each of them
// separately. As a consequence:
// - a local start time that the clocks skip is in no interval and gives no slot;
// - a local start time that occurs twice is in two intervals and gives a slot in each, because the instructor is
//   present for both real hours;
// - every slot lasts its full length in real time and is offered only if the rule holds for all of it.
import { Temporal } from 'temporal-polyfill';

/** Weekly opening hours of one instructor, in the center's local time. */
export interface AvailabilityRule {
  instructorId: string;
  /** 1 is Monday, 7 is Sunday. */
  weekday: number;
  /** Minutes after local midnight; endMinute may be 1440. */
  startMinute: number;
  endMinute: number;
  slotMinutes: number;
}

export interface Slot {
  startsAt: Date;
  endsAt: Date;
  instructorId: string;
}

/** Half-open interval of instants, in epoch milliseconds. */
interface Span {
  from: number;
  to: number;
}

/** An interval with one UTC offset in the zone. */
interface Stretch extends Span {
  offset: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
// No zone is or was further than this from UTC, so the local day lies within this margin on either side.
const MAX_OFFSET = 16 * 60 * MINUTE;

export function isTimeZone(zone: string): boolean {
  // Intl also accepts bare offsets such as +02:00, which name no place and have no daylight saving.
  if (/^[+-]/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** The calendar date in the zone at that instant, as YYYY-MM-DD. */
export function localDate(now: Date, zone: string): string {
  return zoned(now.getTime(), zone).toPlainDate().toString();
}

/** The first instant of the local date and the one just after its last. Empty for a date that the zone skipped. */
export function dayBounds(date: string, zone: string): { from: Date; to: Date } {
  const spans = openSpans(date, stretchesAround(date, zone), 0, 1440);
  const first = spans.at(0);
  const last = spans.at(-1);
  if (first && last) return { from: new Date(first.from), to: new Date(last.to) };
  const skipped = new Date(Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds);
  return { from: skipped, to: skipped };
}

/** Free slots of one local date, earliest first. Slots of one instructor never overlap. */
export function availableSlots(input: {
  date: string;
  zone: string;
  rules: readonly AvailabilityRule[];
  busy: readonly Slot[];
  now: Date;
}): Slot[] {
  const { date, zone, now } = input;
  const weekday = Temporal.PlainDate.from(date).dayOfWeek;
  const stretches = stretchesAround(date, zone);
  const busy = Map.groupBy(input.busy, ({ instructorId }) => instructorId);
  const free = input.rules
    .filter((rule) => rule.weekday === weekday)
    .flatMap((rule) => slotsOfRule(rule, date, stretches))
    .filter(
      (slot) => slot.startsAt >= now && !busy.get(slot.instructorId)?.some((taken) => overlaps(slot, taken)),
    );
  return withoutOverlaps(free.sort(bySlot));
}

/** When at least one of the rules is open on a local date, earliest first, as intervals that neither touch nor overlap. */
export function openHours(
  date: string,
  zone: string,
  rules: readonly AvailabilityRule[],
): { startsAt: Date; endsAt: Date }[] {
  const weekday = Temporal.PlainDate.from(date).dayOfWeek;
  const stretches = stretchesAround(date, zone);
  const hours = new Map(
    rules
      .filter((rule) => rule.weekday === weekday)
      .map((rule) => [`${rule.startMinute} ${rule.endMinute}`, rule]),
  );
  const spans = [...hours.values()]
    .flatMap(({ startMinute, endMinute }) => openSpans(date, stretches, startMinute, endMinute))
    .sort((a, b) => a.from - b.from);
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged.map(({ from, to }) => ({ startsAt: new Date(from), endsAt: new Date(to) }));
}

function slotsOfRule(rule: AvailabilityRule, date: string, stretches: Stretch[]): Slot[] {
  const { instructorId, startMinute, endMinute, slotMinutes } = rule;
  // A zero length would loop forever.
  if (!(slotMinutes >= 1)) return [];
  const open = openSpans(date, stretches, startMinute, endMinute);
  const slots: Slot[] = [];
  for (const stretch of stretches) {
    for (let minute = startMinute; minute + slotMinutes <= endMinute; minute += slotMinutes) {
      const from = instantOf(date, minute, stretch);
      const to = from + slotMinutes * MINUTE;
      const starts = from >= stretch.from && from < stretch.to;
      if (starts && open.some((span) => from >= span.from && to <= span.to)) {
        slots.push({ startsAt: new Date(from), endsAt: new Date(to), instructorId });
      }
    }
  }
  return slots;
}

/** The real time during which the local clock shows that date and a minute of [startMinute, endMinute). */
function openSpans(date: string, stretches: Stretch[], startMinute: number, endMinute: number): Span[] {
  const spans: Span[] = [];
  for (const stretch of stretches) {
    const from = Math.max(stretch.from, instantOf(date, startMinute, stretch));
    const to = Math.min(stretch.to, instantOf(date, endMinute, stretch));
    if (from >= to) continue;
    const last = spans.at(-1);
    if (last?.to === from) last.to = to;
    else spans.push({ from, to });
  }
  return spans;
}

function instantOf(date: string, minute: number, stretch: Stretch): number {
  return utcMidnight(date) + minute * MINUTE - stretch.offset;
}

function stretchesAround(date: string, zone: string): Stretch[] {
  const end = utcMidnight(date) + DAY + MAX_OFFSET;
  const stretches: Stretch[] = [];
  let from = utcMidnight(date) - MAX_OFFSET;
  while (from < end) {
    const at = zoned(from, zone);
    const change = at.getTimeZoneTransition('next')?.epochMilliseconds ?? end;
    const to = Math.min(change, end);
    stretches.push({ from, to, offset: at.offsetNanoseconds / 1e6 });
    from = to;
  }
  return stretches;
}

function withoutOverlaps(sorted: Slot[]): Slot[] {
  const busyUntil = new Map<string, Date>();
  return sorted.filter(({ instructorId, startsAt, endsAt }) => {
    const until = busyUntil.get(instructorId);
    if (until && startsAt < until) return false;
    busyUntil.set(instructorId, endsAt);
    return true;
  });
}

function overlaps(a: Slot, b: Slot): boolean {
  return a.startsAt < b.endsAt && b.startsAt < a.endsAt;
}

function bySlot(a: Slot, b: Slot): number {
  return (
    a.startsAt.getTime() - b.startsAt.getTime() ||
    a.endsAt.getTime() - b.endsAt.getTime() ||
    (a.instructorId < b.instructorId ? -1 : Number(a.instructorId > b.instructorId))
  );
}

function utcMidnight(date: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime('UTC').epochMilliseconds;
}

function zoned(epochMilliseconds: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epochMilliseconds).toZonedDateTimeISO(zone);
}
