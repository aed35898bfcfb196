/** Lets at most so many pieces of work run at once; the others wait their turn. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

export function makeGate(width: number): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    // Whoever leaves hands its place on, so a newcomer cannot slip in between.
    if (running < width) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
