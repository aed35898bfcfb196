import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Figures } from './measure.ts';

export interface ComparisonResult {
  scenario: string;
  title: string;
  unit: string;
  ours: Figures;
  limit: Figures & { what: string };
  /** The service's rate as a fraction of the limit. */
  ratio: number;
  target: number;
  /** The maximum for the 99th percentile, if there is one. */
  p99TargetMs?: number;
  /** The fraction of CPU time that the host stole, if the system reports it. */
  stolen?: number;
  /** A second, more distant limit without a target. */
  ceiling?: Figures & { what: string; ratio: number };
}

export interface GrowthResult {
  scenario: string;
  call: string;
  /** What grows. */
  of: string;
  sizes: number[];
  /** Milliseconds at each size. */
  p50: number[];
  /** The time at the largest size as a multiple of the smallest. */
  ratio: number;
  /** The maximum ratio; null for calls that may grow. */
  target: number | null;
}

export interface MemoryResult {
  scenario: string;
  process: string;
  work: string;
  peakMiB: number;
  targetMiB: number;
}

/** All results of a run. */
export interface Findings {
  comparisons: ComparisonResult[];
  growth: GrowthResult[];
  memory: MemoryResult[];
}

export interface Results extends Findings {
  measuredAt: string;
  /** How long the run took. */
  seconds: number;
  /** As in each comparison, over the whole run. */
  stolen?: number;
  machine: { cores: number; processor: string; memoryGiB: number; node: string };
}

/** The results of a run, rounded, so that file, table and picture show the same numbers. */
export function describeRun(findings: Findings, seconds: number, stolen: number | undefined): Results {
  const results: Results = {
    measuredAt: new Date().toISOString(),
    seconds: Math.round(seconds),
    ...(stolen !== undefined && { stolen }),
    machine: {
      cores: availableParallelism(),
      processor: cpus()[0]?.model ?? 'unknown',
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    },
    ...findings,
  };
  return JSON.parse(JSON.stringify(results, rounded)) as Results;
}

/** A file in the benchmarks' folder. */
export const place = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

export function save(name: string, content: unknown): void {
  writeFileSync(place(name), `${JSON.stringify(content, rounded, 2)}\n`);
}

/** Three decimals are more than the accuracy of any of these numbers. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value;
}
