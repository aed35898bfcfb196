/** What one side of a comparison did in one round. */
export interface Figures {
  /** Operations a second. */
  rate: number;
  /** Operations in all, those that were not measured included; absent, like the rest, where an operation is the whole round. */
  done?: number;
  /** Milliseconds. */
  p50?: number;
  p99?: number;
}

/** One side of a comparison: ours or the limit. */
export interface Side {
  run(seconds: number): Promise<Figures>;
}

/**
 * So many callers, each of which begins its next operation when the last one is done. The first of each is not measured: it
 * opens the caller's connection, which others of its kind do once in an hour and not once in a round.
 */
export function closedLoop(callers: number, operation: (caller: number) => Promise<unknown>): Side {
  return {
    async run(seconds) {
      await Promise.all(Array.from({ length: callers }, (_, caller) => operation(caller)));
      const latencies: number[] = [];
      const begun = performance.now();
      const deadline = begun + seconds * 1_000;
      const call = async (caller: number) => {
        for (let now = performance.now(); now < deadline; ) {
          await operation(caller);
          const done = performance.now();
          latencies.push(done - now);
          now = done;
        }
      };
      await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
      const elapsed = (performance.now() - begun) / 1_000;
      latencies.sort((a, b) => a - b);
      return {
        rate: latencies.length / elapsed,
        done: callers + latencies.length,
        p50: quantile(latencies, 0.5),
        p99: quantile(latencies, 0.99),
      };
    },
  };
}

/** A piece of work done once a round, counted in what it goes through. */
export function wholeJob(items: number, job: () => Promise<unknown>): Side {
  return {
    async run() {
      const begun = performance.now();
      await job();
      return { rate: items / ((performance.now() - begun) / 1_000) };
    },
  };
}

function quantile(sorted: number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

export function median(values: number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}
