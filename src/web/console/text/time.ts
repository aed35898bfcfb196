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

const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const shortTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const dayOnly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** In the zone of the person who looks. */
export const exactly = (moment: string | Date) => long.format(new Date(moment));
export const toTheMinute = (moment: string | Date) => shortTime.format(new Date(moment));
export const onDay = (moment: string | Date) => dayOnly.format(new Date(moment));

/** The time left, ever finer towards the end: "2 d 4 h", "3 h 20 min", "4:07". */
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

/** Days that the service counts by, "2026-11-15": they are the same everywhere, so no zone may shift them. */
const ofDay = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' });
  return (day: string) => format.format(new Date(day));
};
export const dayOfMonth = ofDay({ day: 'numeric', month: 'short' });
export const monthName = ofDay({ month: 'short', year: '2-digit' });
