const DAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];
const NUMBER = /^\d{1,2}$/;

/** When a schedule runs, in words where it is a simple one; otherwise as it was written. */
export function scheduleWords(cron: string, timezone: string): string {
  const words = simpleWords(cron.trim().split(/\s+/));
  const zone = timezone.replaceAll('_', ' ');
  return words ? `${words} ${zone}` : `On schedule: ${cron} (${zone})`;
}

function simpleWords([minute = '', hour = '', day = '', month = '', weekday = '']: string[]): string | null {
  if (month !== '*' || !NUMBER.test(minute) || !NUMBER.test(hour)) return null;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (day === '*') {
    const days = daysOf(weekday);
    return days && `${days} at ${time}`;
  }
  return NUMBER.test(day) && weekday === '*' ? `Day ${Number(day)} of every month at ${time}` : null;
}

function daysOf(weekday: string): string | null {
  if (weekday === '*') return 'Every day';
  if (weekday === '1-5') return 'Mondays to Fridays';
  const names = weekday.split(',').map((day) => (/^[0-7]$/.test(day) ? DAYS[Number(day)] : undefined));
  if (names.includes(undefined)) return null;
  const last = names.pop();
  return names.length > 0 ? `${names.join(', ')} and ${last}` : (last ?? null);
}
