const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** 52428800 is 52 MB. */
export function bytes(size: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3));
  const value = size / 1_000 ** power;
  return `${value.toLocaleString(undefined, { maximumFractionDigits: value < 10 ? 1 : 0 })} ${UNITS[power]}`;
}
