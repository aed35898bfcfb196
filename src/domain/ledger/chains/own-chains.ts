import type { ChainDomain, Checkpoint } from '../../../db/generated/prisma/client.ts';
import { sql } from '../../../db/sql.ts';
import { type Context, currentCenterId, ownRows } from '../../context.ts';

/** A chain of the caller's center, with its newest checkpoint. */
export interface OwnChain {
  domain: ChainDomain;
  /** The name used in checkpoints; null until the first one. */
  origin: string | null;
  size: number;
  headHash: string | null;
  checkpoint: Checkpoint | null;
}

const OWN_CHAINS = sql<Omit<OwnChain, 'checkpoint'> & Partial<CheckpointColumns>>('own_chains')`
  SELECT d.domain, c.origin, coalesce(c.size, 0) AS size, c.head_hash AS "headHash",
    k.id, k.chain_id AS "chainId", k.size AS "signedSize", k.root_hash AS "rootHash",
    k.head_hash AS "signedHash", k.note, k.key_id AS "keyId", k.log, k.log_index AS "logIndex",
    k.created_at AS "createdAt"
  FROM unnest(enum_range(NULL::chain_domain)) WITH ORDINALITY AS d(domain, place)
  LEFT JOIN ledger_chain c ON c.center_id = $centerId AND c.domain = d.domain
  LEFT JOIN LATERAL (SELECT * FROM checkpoint WHERE chain_id = c.id ORDER BY size DESC LIMIT 1) k ON true
  ORDER BY d.place`;

/** One row per kind of chain, in verification order, including chains without records. */
export async function ownChains(ctx: Context): Promise<OwnChain[]> {
  const rows = await OWN_CHAINS.rows(ownRows(ctx), { centerId: currentCenterId(ctx) });
  return rows.map(({ domain, origin, size, headHash, ...signed }) => ({
    domain,
    origin,
    size,
    headHash,
    checkpoint: signed.id ? checkpointOf(signed as CheckpointColumns) : null,
  }));
}

interface CheckpointColumns extends Omit<Checkpoint, 'size' | 'headHash' | 'logIndex'> {
  signedSize: number;
  signedHash: string;
  logIndex: string;
}

function checkpointOf({ signedSize, signedHash, logIndex, ...row }: CheckpointColumns): Checkpoint {
  return { ...row, size: signedSize, headHash: signedHash, logIndex: BigInt(logIndex) };
}

/** Maps the center's chain ids to their domains. */
export async function domainsOf(ctx: Context, chainIds: number[]): Promise<Map<number, ChainDomain>> {
  const chains = await ctx.db.ledgerChain.findMany({
    where: { id: { in: chainIds } },
    select: { id: true, domain: true },
  });
  return new Map(chains.map(({ id, domain }) => [id, domain]));
}
