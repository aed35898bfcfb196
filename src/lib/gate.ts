/** Lets so many through at a time; the others wait their turn, in order. */
export type Gate = <T>(run: () => Promise<T>) => Promise<T>;

export function makeGate(width: number): Gate {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return async (run) => {
    if (inside >= width) await new Promise<void>((enter) => waiting.push(enter));
    else inside++;
    try {
      return await run();
    } finally {
      // Whoever goes hands the place on: nobody slips in between.
      const next = waiting.shift();
      if (next) next();
      else inside--;
    }
  };
}
