/** Formats an amount given in the smallest unit of the currency. */
export function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  const value = amount / 10 ** maximumFractionDigits;
  return Number.isInteger(value)
    ? new Intl.NumberFormat(undefined, { style: 'currency', currency, maximumFractionDigits: 0 }).format(
        value,
      )
    : format.format(value);
}

/** The reverse: 49.5 euros are 4950 cents. */
export function smallestUnits(value: number, currency: string): number {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return Math.round(value * 10 ** maximumFractionDigits);
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** 52428800 is 52 MB. */
export function bytes(size: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3));
  const value = size / 1_000 ** power;
  return `${value.toLocaleString(undefined, { maximumFractionDigits: value < 10 ? 1 : 0 })} ${UNITS[power]}`;
}

/** An address for a name: "Möwe Rehabilitation" becomes "mowe-rehabilitation". */
export const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);

/** Escapes a value, also against formula injection in spreadsheets. */
function cell(value: unknown): string {
  const text =
    value === null || value === undefined
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csv(header: string[], rows: unknown[][]): string {
  return [header, ...rows].map((row) => row.map(cell).join(',')).join('\r\n');
}
