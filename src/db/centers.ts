/**
 * Whose rows a statement or transaction may see. Row-level security shows a center's rows only after the center was declared
 * (migration access), so a statement without its filter cannot find rows of another center.
 */
export type Centers = readonly number[] | 'acrossTenants';

/** Declares the platform's own rows, which belong to no center. */
export const PLATFORM = 0;

/** The SQL that begins a transaction and declares its centers in one round trip. */
export function beginDeclared(centers: Centers, mode = ''): string {
  // The setting contains only digits, commas and the star, so it is safe inside quotes.
  return `BEGIN${mode && ` ${mode}`}; SET LOCAL cs.centers = '${settingOf(centers)}'`;
}

/** The value of the setting that declares the centers. */
export function settingOf(centers: Centers): string {
  if (centers === 'acrossTenants') return '*';
  for (const id of centers) if (!Number.isSafeInteger(id)) throw new TypeError(`${id} is no center`);
  return centers.length < 2 ? centers.join() : [...new Set(centers)].join();
}
