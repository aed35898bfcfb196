export interface Sample {
  /** Minutes since the load began. */
  minute: number;
  mib: number;
}

/** The slope of the straight line that fits the samples best, in MiB a minute. */
export function slopeOf(samples: Sample[]): number {
  const mean = (pick: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + pick(sample), 0) / samples.length;
  const [middle, level] = [mean(({ minute }) => minute), mean(({ mib }) => mib)];
  const spread = samples.reduce((sum, { minute }) => sum + (minute - middle) ** 2, 0);
  return samples.reduce((sum, { minute, mib }) => sum + (minute - middle) * (mib - level), 0) / spread;
}
