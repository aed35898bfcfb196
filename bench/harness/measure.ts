/** The result of one side in one round. */
export interface Figures {
  /** Operations a second. */
  rate: number;
  /** All operations, including unmeasured ones; absent, like the rest, if an operation is the whole round. */
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
 * Concurrent callers, each of which starts its next operation when the last one is done. The first operation of each is not
 * measured, because it opens the caller's connection, which real callers do once an hour and not once a round.
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

/** Work done once per round, counted by the items it processes. */
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
