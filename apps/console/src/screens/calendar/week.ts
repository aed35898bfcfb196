/** Days and times of the center's calendar, which may be in another zone than the browser. */

const DAY_MS = 86_400_000;

/** "2026-11-15", in the zone. */
export const dayIn = (zone: string, moment: Date) =>
  new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' }).format(moment);

export const timeIn = (zone: string, moment: string) =>
  new Intl.DateTimeFormat(undefined, { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(
    new Date(moment),
  );

export const plusDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The Monday of the week of a day. */
export const mondayOf = (day: string) => plusDays(day, -((new Date(day).getUTCDay() + 6) % 7));

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** "Monday" for "2026-11-16". */
export const weekdayOf = (day: string) => weekdays[(new Date(day).getUTCDay() + 6) % 7]!;

/** 570 is 09:30. */
export const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** The end of a day is 24:00, which fields for times write as 00:00. */
export const minutesOf = (time: string, end = false) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const total = hours * 60 + minutes;
  return end && total === 0 ? 1_440 : total;
};

const wallClocks = new Map<string, Intl.DateTimeFormat>();

/** The local day in a zone and the minutes since midnight. */
export function wallTime(zone: string, moment: string): { day: string; minute: number } {
  const format =
    wallClocks.get(zone) ??
    new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  wallClocks.set(zone, format);
  const [day = '', time = ''] = format.format(new Date(moment)).split(' ');
  return { day, minute: minutesOf(time) };
}
