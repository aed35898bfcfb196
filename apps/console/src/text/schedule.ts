const DAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];
const NUMBER = /^\d{1,2}$/;

/** A schedule that can be chosen without writing cron. */
export type SimpleSchedule =
  | { every: 'hour'; minute: number }
  | { every: 'day'; time: string }
  /** Days of the week from 0, a Sunday, to 6. */
  | { every: 'week'; days: number[]; time: string }
  | { every: 'month'; day: number; time: string };

/** The choice that matches a cron expression, or null. */
export function readSchedule(cron: string): SimpleSchedule | null {
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...more] = cron.trim().split(/\s+/);
  if (more.length > 0 || month !== '*' || !isUpTo(minute, 59)) return null;
  if (hour === '*' && day === '*' && weekday === '*') return { every: 'hour', minute: Number(minute) };
  if (!isUpTo(hour, 23)) return null;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (day !== '*') {
    const fits = isUpTo(day, 31) && Number(day) > 0 && weekday === '*';
    return fits ? { every: 'month', day: Number(day), time } : null;
  }
  if (weekday === '*') return { every: 'day', time };
  const days = daysOf(weekday);
  return days && { every: 'week', days, time };
}

export function writeSchedule(schedule: SimpleSchedule): string {
  if (schedule.every === 'hour') return `${schedule.minute} * * * *`;
  const [hour, minute] = schedule.time.split(':').map(Number);
  const at = `${minute} ${hour}`;
  switch (schedule.every) {
    case 'day':
      return `${at} * * *`;
    case 'week': {
      const days = [...schedule.days].sort((one, other) => one - other).join(',');
      return `${at} * * ${days === '1,2,3,4,5' ? '1-5' : days}`;
    }
    case 'month':
      return `${at} ${schedule.day} * *`;
  }
}

const isUpTo = (text: string, most: number) => NUMBER.test(text) && Number(text) <= most;

function daysOf(weekday: string): number[] | null {
  if (weekday === '1-5') return [1, 2, 3, 4, 5];
  const days = weekday.split(',');
  if (!days.every((day) => /^[0-7]$/.test(day))) return null;
  return [...new Set(days.map((day) => Number(day) % 7))];
}

/** When a schedule runs: in words if it is simple, otherwise the cron expression. */
export function scheduleLabel(cron: string): string {
  const schedule = readSchedule(cron);
  if (!schedule) return `On schedule: ${cron}`;
  switch (schedule.every) {
    case 'hour':
      return `Every hour at minute ${schedule.minute}`;
    case 'day':
      return `Every day at ${schedule.time}`;
    case 'month':
      return `Day ${schedule.day} of every month at ${schedule.time}`;
    case 'week':
      return `${daysLabel(schedule.days)} at ${schedule.time}`;
  }
}

function daysLabel(days: number[]): string {
  if (days.join() === '1,2,3,4,5') return 'Mondays to Fridays';
  const names = days.map((day) => DAYS[day]!);
  const last = names.pop()!;
  return names.length > 0 ? `${names.join(', ')} and ${last}` : last;
}

/** The name of a time zone as people read it. */
export const zoneLabel = (zone: string) => zone.replaceAll('_', ' ');
