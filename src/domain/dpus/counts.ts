// DPU counts, kept in tallies: exact, and equally fast for any number of records.
import * as enums from '../../db/generated/prisma/enums.ts';
import { type Context, currentCenterId } from '../context.ts';
import type { EvidenceLevel } from '../ledger/chains/levels.ts';
import { readTallies, type TallyChange } from '../tallies/tally.ts';

// `appendDpus` counts new records under the same keys, in SQL.
const ofCenter = (centerId: number, level: string) => `dpu:${centerId}:${level}`;
const ofLevel = (level: string) => `dpu:level:${level}`;
const ofVertical = (vertical: string) => `dpu:vertical:${vertical}`;

const levels = Object.values(enums.EvidenceLevel);
const verticals = Object.values(enums.Vertical);

export interface DpuStats {
  total: number;
  byEvidenceLevel: Record<string, number>;
  byVertical: Record<string, number>;
  center: { total: number; byEvidenceLevel: Record<string, number> };
}

/** A record that moves from one level to another. */
export function levelChanged(centerId: number, from: EvidenceLevel, to: EvidenceLevel): TallyChange[] {
  return [
    { key: ofCenter(centerId, from), delta: -1 },
    { key: ofCenter(centerId, to), delta: 1 },
    { key: ofLevel(from), delta: -1 },
    { key: ofLevel(to), delta: 1 },
  ];
}

/** Counts over all centers, and those of the caller's own center. */
export async function dpuStats(ctx: Context): Promise<DpuStats> {
  const centerId = currentCenterId(ctx);
  const counts = await readTallies(ctx.reads.declared([]), [
    ...levels.flatMap((level) => [ofLevel(level), ofCenter(centerId, level)]),
    ...verticals.map(ofVertical),
  ]);
  const pick = (names: string[], key: (name: string) => string) =>
    Object.fromEntries(names.map((name) => [name, counts.get(key(name))!]));
  const sum = (figures: Record<string, number>) => Object.values(figures).reduce((a, b) => a + b, 0);
  const byEvidenceLevel = pick(levels, ofLevel);
  const ownByLevel = pick(levels, (level) => ofCenter(centerId, level));
  return {
    total: sum(byEvidenceLevel),
    byEvidenceLevel,
    byVertical: pick(verticals, ofVertical),
    center: { total: sum(ownByLevel), byEvidenceLevel: ownByLevel },
  };
}
