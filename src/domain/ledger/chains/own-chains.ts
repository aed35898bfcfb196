// Reading the chains of the caller's center.
import { z } from 'zod';
import type { ChainDomain, Checkpoint } from '../../../db/generated/prisma/client.ts';
import { type RowOf, sql } from '../../../db/sql.ts';
import { type Context, currentCenterId, ownRows } from '../../context.ts';
import { CHECKPOINT_COLUMNS, CHECKPOINT_ROW, checkpointOf, NEWEST_FIRST } from './checkpoint-row.ts';

/** A chain of the caller's center, with its newest checkpoint. */
export interface OwnChain {
  domain: ChainDomain;
  /** The name used in checkpoints; null until the first one. */
  origin: string | null;
  size: number;
  headHash: string | null;
  checkpoint: Checkpoint | null;
}

const CHAIN_ROW = { domain: 'chain_domain', origin: 'text?', chainSize: 'int', chainHead: 'text?' } as const;
/** The columns of the checkpoint are null if there is none. */
const OWN_CHAINS = sql('own_chains', { ...CHAIN_ROW, ...CHECKPOINT_ROW })`
  SELECT d.domain, c.origin, coalesce(c.size, 0) AS "chainSize", c.head_hash AS "chainHead", k.*
  FROM unnest(enum_range(NULL::chain_domain)) WITH ORDINALITY AS d(domain, place)
  LEFT JOIN ledger_chain c ON c.center_id = $centerId AND c.domain = d.domain
  LEFT JOIN LATERAL (
    SELECT ${CHECKPOINT_COLUMNS} FROM checkpoint WHERE chain_id = c.id ORDER BY ${NEWEST_FIRST} LIMIT 1) k ON true
  ORDER BY d.place`;

/** One row per kind of chain, in verification order, including chains without records. */
export async function ownChains(ctx: Context): Promise<OwnChain[]> {
  const rows = await OWN_CHAINS.rows(ownRows(ctx), { centerId: currentCenterId(ctx) });
  return rows.map(({ domain, origin, chainSize: size, chainHead: headHash, ...signed }) => {
    return { domain, origin, size, headHash, checkpoint: signed.id ? checkpointOf(signed) : null };
  });
}

export async function domainsOf(ctx: Context, chainIds: number[]): Promise<Map<number, ChainDomain>> {
  const chains = await ctx.db.ledgerChain.findMany({
    where: { id: { in: chainIds } },
    select: { id: true, domain: true },
  });
  return new Map(chains.map(({ id, domain }) => [id, domain]));
}

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
