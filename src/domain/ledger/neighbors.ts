import { z } from 'zod';
import type { ChainDomain } from '../../db/generated/prisma/enums.ts';
import { type RowOf, sql } from '../../db/sql.ts';
import { type Context, currentCenterId } from '../context.ts';

export const MOST_AROUND = 25;
const LARGEST_INDEX = 2_147_483_647;

export const neighborhood = z.object({
  index: z.int().min(0),
  radius: z.int().min(0).max(MOST_AROUND),
});

const RECORDS_AROUND = sql('records_around', {
  index: 'int',
  hash: 'text',
  previousHash: 'text?',
  timestamp: 'text',
  content: 'text',
  dpuId: 'text?',
  eventId: 'text?',
})`
  SELECT r.index, r.hash, r.previous_hash AS "previousHash", r.timestamp, r.content, d.id AS "dpuId",
    CASE WHEN c.domain = 'proof' THEN d.reference_id END AS "eventId"
  FROM ledger_chain c
  JOIN ledger_record r ON r.chain_id = c.id
  LEFT JOIN dpu d ON d.chain_id = r.chain_id AND d.index = r.index
  WHERE c.center_id = $centerId AND c.domain = $domain::chain_domain AND r.index BETWEEN $from AND $to
  ORDER BY r.index`;

/** A record of one of the center's chains. */
export type ChainRecord = RowOf<typeof RECORDS_AROUND>;

/** A record of one of the center's chains and its neighbors, in order. Empty if the index is beyond the chain. */
export async function recordsAround(
  ctx: Context,
  domain: ChainDomain,
  { index, radius }: z.infer<typeof neighborhood>,
): Promise<ChainRecord[]> {
  const centerId = currentCenterId(ctx);
  return RECORDS_AROUND.rows(ctx.app.db.declared([centerId]), {
    centerId,
    domain,
    from: Math.max(0, index - radius),
    to: Math.min(LARGEST_INDEX, index + radius),
  });
}
