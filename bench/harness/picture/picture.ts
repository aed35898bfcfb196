import type { Findings } from '../results.ts';
import { comparisonPanel } from './comparisons.ts';
import { growthPanel } from './growth.ts';
import { memoryPanel } from './memory.ts';
import { type Panel, stack } from './svg.ts';

const WIDTH = 1150;

/** All available results in one picture. */
export function picture({ comparisons, growth, memory }: Findings): string {
  const panels: Panel[] = [];
  if (comparisons.length > 0) panels.push(comparisonPanel(comparisons));
  for (const results of Map.groupBy(growth, ({ scenario }) => scenario).values()) {
    panels.push(growthPanel(results));
  }
  if (memory.length > 0) panels.push(memoryPanel(memory));
  return stack('Countersign beside its limits, growth and memory', WIDTH, panels);
}
