import type { Pace } from './compare.ts';
import type { Side } from './measure.ts';
import type { Stage } from './stage.ts';

/** One comparison of ours with its limit. */
export interface Scenario {
  name: string;
  /** What is measured, and beside what. */
  title: string;
  limit: string;
  unit: string;
  /** The ratio we mean to reach. */
  target: number;
  pace?: Partial<Pace>;
  prepare(stage: Stage): Promise<{ ours: Side; limit: Side }>;
}
