import { readFileSync } from 'node:fs';

/** Where Linux counts CPU time by use; `steal` is the eighth column. */
const TIMES = '/proc/stat';
const COUNTED = 8;

function times(): number[] | undefined {
  try {
    const [, ...figures] = readFileSync(TIMES, 'utf8').split('\n', 1)[0]!.trim().split(/ +/);
    return figures.slice(0, COUNTED).map(Number);
  } catch {
    return undefined;
  }
}

/**
 * Starts measuring the fraction of CPU time that the host of a virtual machine gave to others. Undefined if the system does
 * not report it.
 */
export function watchStolen(): () => number | undefined {
  const before = times();
  return () => {
    const now = times();
    if (!before || !now) return undefined;
    const spent = now.map((time, i) => time - before[i]!);
    return spent[COUNTED - 1]! / spent.reduce((sum, time) => sum + time, 0);
  };
}

/** A text for people: empty if nothing was stolen or it is unknown. */
export function tellStolen(stolen: number | undefined): string {
  const percent = Math.round((stolen ?? 0) * 100);
  return percent > 0 ? `, ${percent} % of the processors' time taken by the host` : '';
}
