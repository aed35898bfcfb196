import type { Scenario } from '../harness/scenario.ts';
import { readDpu } from './read-dpu.ts';

/** In the order in which they run. */
export const scenarios: Scenario[] = [readDpu];
