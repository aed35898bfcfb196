import type { ChainDomain, Checkpoint } from '../../db/generated/prisma/client.ts';
import { type RowOf, sql } from '../../db/sql.ts';
import { type Context, currentCenterId, ownRows } from '../context.ts';

const CHAIN_ROW = {
  domain: 'chain_domain',
  /** The name used in checkpoints; null until the first one. */
  origin: 'text?',
  size: 'int',
  headHash: 'text?',
} as const;
const CHECKPOINT_ROW = {
  id: 'text',
  chainId: 'int',
  signedSize: 'int',
  rootHash: 'text',
  signedHash: 'text',
  note: 'text',
  keyId: 'text',
  log: 'int',
  logIndex: 'bigint',
  createdAt: 'timestamptz',
} as const;

/** A chain of the caller's center, with its newest checkpoint. */
export type OwnChain = RowOf<typeof CHAIN_ROW> & { checkpoint: Checkpoint | null };

/** The columns of the checkpoint are null if there is none. */
const OWN_CHAINS = sql('own_chains', { ...CHAIN_ROW, ...CHECKPOINT_ROW })`
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
    checkpoint: signed.id ? checkpointOf(signed) : null,
  }));
}

type CheckpointColumns = RowOf<typeof CHECKPOINT_ROW>;

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
