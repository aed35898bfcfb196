// Reading the chains of the caller's center.
import { z } from 'zod';
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

export interface ChainRecord {
  index: number;
  hash: string;
  previousHash: string | null;
  timestamp: string;
  content: string;
  dpuId: string | null;
  eventId: string | null;
}

const RECORDS_AROUND = sql<ChainRecord>('records_around')`
  SELECT r.index, r.hash, r.previous_hash AS "previousHash", r.timestamp, r.content, d.id AS "dpuId",
    CASE WHEN c.domain = 'proof' THEN d.reference_id END AS "eventId"
  FROM ledger_chain c
  JOIN ledger_record r ON r.chain_id = c.id
  LEFT JOIN dpu d ON d.chain_id = r.chain_id AND d.index = r.index
  WHERE c.center_id = $centerId AND c.domain = $domain::chain_domain AND r.index BETWEEN $from AND $to
  ORDER BY r.index`;

/** A record of one of the center's chains and its neighbors, in order. Empty if the index is beyond the chain. */
export async function recordsAround(
  ctx: Context,
  domain: ChainDomain,
  { index, radius }: z.infer<typeof neighborhood>,
): Promise<ChainRecord[]> {
  const centerId = currentCenterId(ctx);
  const rows = await RECORDS_AROUND.rows(ctx.app.db.declared([centerId]), {
    centerId,
    domain,
    from: Math.max(0, index - radius),
    to: Math.min(LARGEST_INDEX, index + radius),
  });
  return rows;
}
