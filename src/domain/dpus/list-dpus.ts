import type { ChainDomain } from '../../db/generated/prisma/enums.ts';
import { type CursorWindow, MOST_COUNTED } from '../../lib/paging.ts';
import { type Context, currentCenterId, ownRows } from '../context.ts';
import type { EvidenceLevel } from '../ledger/levels.ts';
import { DPU_COLUMNS, DPU_SOURCE, type DpuView } from './dpu-row.ts';

interface DpuFilter {
  evidenceLevel?: EvidenceLevel | null | undefined;
  domain?: ChainDomain | null | undefined;
  referenceType?: string | null | undefined;
  referenceId?: string | null | undefined;
  tag?: string | null | undefined;
}

const CHOSEN = `d.center_id = $1 AND r.content IS NOT NULL
  AND ($2::text IS NULL OR d.evidence_level = $2::text::evidence_level)
  AND ($3::text IS NULL OR d.domain = $3::text::chain_domain)
  AND ($4::text IS NULL OR d.reference_type = $4) AND ($5::text IS NULL OR d.reference_id = $5)
  AND ($6::text IS NULL OR $6 = ANY (d.tags))`;

const chosenBy = (ctx: Context, { evidenceLevel, domain, referenceType, referenceId, tag }: DpuFilter) => [
  currentCenterId(ctx),
  evidenceLevel ?? null,
  domain ?? null,
  referenceType ?? null,
  referenceId ?? null,
  tag ?? null,
];

/** DPUs of the caller's center, newest first; from the back when inverted. */
export async function listDpus(ctx: Context, filter: DpuFilter, window: CursorWindow): Promise<DpuView[]> {
  const direction = window.inverted ? 'ASC' : 'DESC';
  const { rows } = await ownRows(ctx).query<DpuView>({
    name: `list_dpus_${direction}`,
    text: `SELECT ${DPU_COLUMNS} FROM ${DPU_SOURCE}
           WHERE ${CHOSEN}
             AND ($7::text IS NULL OR d.id < $7) AND ($8::text IS NULL OR d.id > $8)
           ORDER BY d.id ${direction} LIMIT $9`,
    values: [
      ...chosenBy(ctx, filter),
      // Newest first: what comes after a cursor has smaller ids.
      window.after ?? null,
      window.before ?? null,
      window.limit,
    ],
  });
  return rows;
}

/** How many of them there are; counting stops where no one pages to the end. */
export async function countDpus(ctx: Context, filter: DpuFilter): Promise<number> {
  const { rows } = await ownRows(ctx).query<{ count: number }>({
    name: 'count_dpus_listed',
    text: `SELECT count(*)::int AS count FROM (SELECT FROM ${DPU_SOURCE} WHERE ${CHOSEN} LIMIT ${MOST_COUNTED}) listed`,
    values: chosenBy(ctx, filter),
  });
  return rows[0]!.count;
}
