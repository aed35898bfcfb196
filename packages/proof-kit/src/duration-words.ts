/** Spans of time as people say them. */

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Such as `2 days` or `1 hour 30 minutes`: exact, without the units that are zero. */
export function durationWords(seconds: number): string {
  let rest = Math.round(seconds);
  const parts: string[] = [];
  for (const [unit, length] of UNITS) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count} ${count === 1 ? unit : `${unit}s`}`);
  }
  return parts.join(' ') || '0 seconds';
}
