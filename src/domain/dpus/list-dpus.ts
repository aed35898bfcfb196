import type { ChainDomain } from '../../db/generated/prisma/enums.ts';
import { pages, sql } from '../../db/sql.ts';
import { type CursorWindow, MOST_COUNTED } from '../../lib/paging.ts';
import { type Context, currentCenterId, ownRows } from '../context.ts';
import type { EvidenceLevel } from '../ledger/chains/levels.ts';
import { DPU_COLUMNS, DPU_ROW, DPU_SOURCE, type DpuView } from './dpu-row.ts';
import { readsDecisions } from './withheld.ts';

interface DpuFilter {
  evidenceLevel?: EvidenceLevel | null | undefined;
  domain?: ChainDomain | null | undefined;
  referenceType?: string | null | undefined;
  referenceId?: string | null | undefined;
  tag?: string | null | undefined;
}

const CHOSEN = `d.center_id = $centerId AND r.content IS NOT NULL
  AND ($evidenceLevel::text IS NULL OR d.evidence_level = $evidenceLevel::text::evidence_level)
  AND ($domain::text IS NULL OR d.domain = $domain::text::chain_domain)
  AND ($referenceType::text IS NULL OR d.reference_type = $referenceType)
  AND ($referenceId::text IS NULL OR d.reference_id = $referenceId)
  AND ($tag::text IS NULL OR ($tag = ANY (d.tags) AND ($readsDecisions::boolean OR d.domain <> 'proof')))`;

const readPage = pages(
  'list_dpus',
  { ...DPU_ROW, content: 'text' },
  (order) => `
    SELECT ${DPU_COLUMNS} FROM ${DPU_SOURCE}
    WHERE ${CHOSEN} AND ($after::text IS NULL OR d.id < $after) AND ($before::text IS NULL OR d.id > $before)
    ORDER BY d.id ${order} LIMIT $limit`,
);
const COUNT = sql('count_dpus_listed', { count: 'int' })`
  SELECT count(*)::int AS count FROM (SELECT FROM ${DPU_SOURCE} WHERE ${CHOSEN} LIMIT ${MOST_COUNTED}) listed`;

const chosenBy = (ctx: Context, { evidenceLevel, domain, referenceType, referenceId, tag }: DpuFilter) => ({
  centerId: currentCenterId(ctx),
  evidenceLevel: evidenceLevel ?? null,
  domain: domain ?? null,
  referenceType: referenceType ?? null,
  referenceId: referenceId ?? null,
  tag: tag ?? null,
  // A filter by tag would tell the tags of decisions.
  readsDecisions: readsDecisions(ctx),
});

/** DPUs of the caller's center, newest first; from the end if inverted. */
export async function listDpus(ctx: Context, filter: DpuFilter, window: CursorWindow): Promise<DpuView[]> {
  return readPage(ownRows(ctx), window, chosenBy(ctx, filter));
}

/** The number of DPUs. Counting stops at a limit. */
export async function countDpus(ctx: Context, filter: DpuFilter): Promise<number> {
  const rows = await COUNT.rows(ownRows(ctx), chosenBy(ctx, filter));
  return rows[0]!.count;
}
