import type { Side } from './measure.ts';
import type { Findings } from './results.ts';
import type { Stage } from './stage.ts';

export interface Pace {
  warmupSeconds: number;
  rounds: number;
  secondsEach: number;
}

interface Named {
  /** Its name on the command line. */
  name: string;
  /** What is measured, for readers of the results. */
  title: string;
  /** Scenarios that share a stage reuse its data, because filling it takes minutes. */
  stage?: string;
}

/** Both sides of a comparison, and optionally a second, more distant limit. */
export interface Sides {
  ours: Side;
  limit: Side;
  ceiling?: { what: string; side: Side };
}

/** One comparison of the service with its limit. */
export interface Scenario extends Named {
  limit: string;
  unit: string;
  /** The target ratio. */
  target: number;
  /** The maximum for the 99th percentile. */
  p99TargetMs?: number;
  pace?: Partial<Pace>;
  prepare(stage: Stage): Promise<Sides>;
}

/** A measurement without two sides, which produces its own results. */
export interface Survey extends Named {
  survey(stage: Stage, say: (text: string) => void): Promise<Partial<Findings>>;
}
