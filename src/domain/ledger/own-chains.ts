import type { ChainDomain, Checkpoint } from '../../db/generated/prisma/client.ts';
import { sql } from '../../db/sql.ts';
import { type Context, currentCenterId, ownRows } from '../context.ts';
import { CHECKPOINT_COLUMNS, CHECKPOINT_ROW, checkpointOf } from './checkpoints/make.ts';

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
    SELECT ${CHECKPOINT_COLUMNS} FROM checkpoint WHERE chain_id = c.id ORDER BY size DESC LIMIT 1) k ON true
  ORDER BY d.place`;

/** One row per kind of chain, in verification order, including chains without records. */
export async function ownChains(ctx: Context): Promise<OwnChain[]> {
  const rows = await OWN_CHAINS.rows(ownRows(ctx), { centerId: currentCenterId(ctx) });
  return rows.map(({ domain, origin, chainSize: size, chainHead: headHash, ...signed }) => {
    return { domain, origin, size, headHash, checkpoint: signed.id ? checkpointOf(signed) : null };
  });
}

/** Maps the center's chain ids to their domains. */
export async function domainsOf(ctx: Context, chainIds: number[]): Promise<Map<number, ChainDomain>> {
  const chains = await ctx.db.ledgerChain.findMany({
    where: { id: { in: chainIds } },
    select: { id: true, domain: true },
  });
  return new Map(chains.map(({ id, domain }) => [id, domain]));
}
