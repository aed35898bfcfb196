export interface Sample {
  /** Minutes since the load began. */
  minute: number;
  mib: number;
}

/** The slope of the least-squares line through the samples, in MiB per minute. */
export function slopeOf(samples: Sample[]): number {
  const mean = (pick: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + pick(sample), 0) / samples.length;
  const [middle, level] = [mean(({ minute }) => minute), mean(({ mib }) => mib)];
  const spread = samples.reduce((sum, { minute }) => sum + (minute - middle) ** 2, 0);
  return samples.reduce((sum, { minute, mib }) => sum + (minute - middle) * (mib - level), 0) / spread;
}

const STRETCHES = 4;

/**
 * The lowest sample of each interval. Memory always rises between two garbage collections; a leak shows in what remains after
 * them.
 */
export function lowPoints(samples: Sample[]): Sample[] {
  const length = Math.ceil(samples.length / STRETCHES);
  return Array.from({ length: STRETCHES }, (_, i) => samples.slice(i * length, (i + 1) * length))
    .filter((stretch) => stretch.length > 0)
    .map((stretch) => stretch.reduce((low, sample) => (sample.mib < low.mib ? sample : low)));
}
