import type { Side } from './measure.ts';
import type { Findings } from './results.ts';
import type { Stage } from './stage.ts';

export interface Pace {
  warmupSeconds: number;
  rounds: number;
  secondsEach: number;
}

interface Named {
  /** What it is called on the command line. */
  name: string;
  /** What is measured, for readers of the results. */
  title: string;
  /** Those that share a stage find what the others put there: filling it once saves minutes. */
  stage?: string;
}

/** Both sides of a comparison, and where there is one a second limit that is farther off. */
export interface Sides {
  ours: Side;
  limit: Side;
  ceiling?: { what: string; side: Side };
}

/** One comparison of ours with its limit. */
export interface Scenario extends Named {
  limit: string;
  unit: string;
  /** The ratio we mean to reach. */
  target: number;
  /** What the 99th percentile is to stay below. */
  p99TargetMs?: number;
  pace?: Partial<Pace>;
  prepare(stage: Stage): Promise<Sides>;
}

/** A measurement that is no comparison of two sides and makes its findings itself. */
export interface Survey extends Named {
  survey(stage: Stage, say: (text: string) => void): Promise<Partial<Findings>>;
}
