const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** "3 minutes ago", "in 2 days". */
export function ago(moment: string | Date, now: Date): string {
  const seconds = (new Date(moment).getTime() - now.getTime()) / 1_000;
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return Math.abs(seconds) < 10 ? 'just now' : relative.format(Math.trunc(seconds), 'second');
}

/** Points in time as text, in one zone. */
export interface Times {
  zone: string;
  /** To the second. */
  exactly(moment: string | Date): string;
  toTheMinute(moment: string | Date): string;
  onDay(moment: string | Date): string;
}

const known = new Map<string, Times>();

export function timesIn(zone: string): Times {
  const before = known.get(zone);
  if (before) return before;
  const format = (options: Intl.DateTimeFormatOptions) => {
    const made = new Intl.DateTimeFormat(undefined, { ...options, timeZone: zone });
    return (moment: string | Date) => made.format(new Date(moment));
  };
  const times = {
    zone,
    exactly: format({ dateStyle: 'medium', timeStyle: 'medium' }),
    toTheMinute: format({ dateStyle: 'medium', timeStyle: 'short' }),
    onDay: format({ dateStyle: 'medium' }),
  };
  known.set(zone, times);
  return times;
}

/** The zone of the person's device. */
export const deviceZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone of a center, from its settings. */
export function centerZoneOf(settings: unknown): string {
  const zone = (settings as { timezone?: unknown } | null)?.timezone;
  try {
    return typeof zone === 'string' && timesIn(zone) ? zone : 'UTC';
  } catch {
    return 'UTC';
  }
}

/** The local time in a zone, in the format of date and time fields: "2026-11-15T09:30". */
export function wallTimeIn(zone: string, moment: Date): string {
  const format = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(moment).replace(' ', 'T');
}

/** The moment at which the clocks in a zone show this time. */
export function momentIn(zone: string, wallTime: string): string {
  const asUtc = Date.parse(`${wallTime}Z`);
  let moment = asUtc;
  // Twice: the offset at the first guess may be the one before or after a change of the clocks.
  for (let round = 0; round < 2; round++) {
    const shown = Date.parse(`${wallTimeIn(zone, new Date(moment))}Z`);
    moment = asUtc - (shown - moment);
  }
  return new Date(moment).toISOString();
}

/** The time left, with more detail towards the end: "2 d 4 h", "3 h 20 min", "4:07". */
export function timeLeft(until: string | Date, now: Date): string {
  const seconds = Math.max(0, Math.floor((new Date(until).getTime() - now.getTime()) / 1_000));
  const [days, hours, minutes] = [seconds / 86_400, (seconds % 86_400) / 3_600, (seconds % 3_600) / 60].map(
    Math.floor,
  );
  if (days! > 0) return `${days} d ${hours} h`;
  if (hours! > 0) return `${hours} h ${minutes} min`;
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}

/** 840 ms, 3.2 s, 4 min. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.round(ms / 60_000)} min`;
}

/** Calendar days of the service, "2026-11-15": they are the same everywhere, so no zone may shift them. */
const ofDay = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' });
  return (day: string) => format.format(new Date(day));
};
export const dayOfMonth = ofDay({ day: 'numeric', month: 'short' });
export const monthName = ofDay({ month: 'short', year: '2-digit' });
