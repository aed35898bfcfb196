/** Runs at most so many tasks at once; the others wait their turn, in order. */
export type Semaphore = <T>(run: () => Promise<T>) => Promise<T>;

export function makeSemaphore(permits: number): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running >= permits) await new Promise<void>((resume) => waiting.push(resume));
    else running++;
    try {
      return await run();
    } finally {
      // Whoever ends hands the permit on: nobody slips in between.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
