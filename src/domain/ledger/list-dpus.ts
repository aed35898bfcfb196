import type { ChainDomain } from '../../db/generated/prisma/enums.ts';
import type { CursorWindow } from '../../lib/paging.ts';
import { type Context, currentCenterId, ownRows } from '../context.ts';
import { DPU_COLUMNS, DPU_SOURCE, type DpuView } from './dpu-row.ts';
import type { EvidenceLevel } from './levels.ts';

export interface DpuFilter {
  evidenceLevel?: EvidenceLevel | null | undefined;
  domain?: ChainDomain | null | undefined;
  referenceType?: string | null | undefined;
  referenceId?: string | null | undefined;
  tag?: string | null | undefined;
}

/** DPUs of the caller's center, newest first; from the back when inverted. */
export async function listDpus(ctx: Context, filter: DpuFilter, window: CursorWindow): Promise<DpuView[]> {
  const direction = window.inverted ? 'ASC' : 'DESC';
  const { rows } = await ownRows(ctx).query<DpuView>({
    name: `list_dpus_${direction}`,
    text: `SELECT ${DPU_COLUMNS} FROM ${DPU_SOURCE}
           WHERE d.center_id = $1 AND r.content IS NOT NULL
             AND ($2::text IS NULL OR d.evidence_level = $2::text::evidence_level)
             AND ($3::text IS NULL OR d.domain = $3::text::chain_domain)
             AND ($4::text IS NULL OR d.reference_type = $4) AND ($5::text IS NULL OR d.reference_id = $5)
             AND ($6::text IS NULL OR $6 = ANY (d.tags))
             AND ($7::text IS NULL OR d.id < $7) AND ($8::text IS NULL OR d.id > $8)
           ORDER BY d.id ${direction} LIMIT $9`,
    values: [
      currentCenterId(ctx),
      filter.evidenceLevel ?? null,
      filter.domain ?? null,
      filter.referenceType ?? null,
      filter.referenceId ?? null,
      filter.tag ?? null,
      // Newest first: what comes after a cursor has smaller ids.
      window.after ?? null,
      window.before ?? null,
      window.limit,
    ],
  });
  return rows;
}
