import { readFileSync } from 'node:fs';

/** Where Linux counts the time of all processors, by what it was spent on; `steal` is the eighth figure. */
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
 * From now on: the part of the processors' time that the host of a virtual machine gave to others, which no program of
 * ours could have had. Undefined where the system does not tell.
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

/** For people: empty if nothing was taken or it is unknown. */
export function tellStolen(stolen: number | undefined): string {
  const percent = Math.round((stolen ?? 0) * 100);
  return percent > 0 ? `, ${percent} % of the processors' time taken by the host` : '';
}
