/** The statements of a signing round; their number does not depend on the number of chains. */
import type { Queryable } from '../../../db/database.ts';
import { type RowOf, sql } from '../../../db/sql.ts';
import { NEWEST_FIRST } from '../chains/checkpoint-row.ts';
import type { Keyring } from '../keys/ring.ts';

const CHAIN_ROW = {
  id: 'int',
  centerId: 'int?',
  domain: 'chain_domain',
  size: 'int',
  headHash: 'text',
  origin: 'text',
  /** The newest checkpoint in the table; nulls if there is none. */
  signedSize: 'int?',
  signedRoot: 'text?',
  note: 'text?',
  /** Whether that checkpoint covers the whole chain and is signed by a key that still signs. */
  isSigned: 'boolean',
  treeSize: 'int',
} as const;

/** A chain as its head row describes it, with its newest checkpoint and the size of its tree. */
export type DueChain = RowOf<typeof CHAIN_ROW>;

const originSql = (chosen: string) => `
  UPDATE ledger_chain SET origin = $service || '/chains/' || coalesce(center_id, 0) || '/' || domain
  WHERE ${chosen} AND origin IS NULL AND size > 0`;
const GIVE_ORIGINS_TO = sql('give_origins_to')`${originSql('id = ANY ($ids::int[])')}`;
const GIVE_ORIGINS = sql('give_origins')`${originSql(
  'id IN (SELECT id FROM ledger_chain WHERE origin IS NULL AND size > 0 FOR UPDATE SKIP LOCKED)',
)}`;

/**
 * A chain gets the name used in checkpoints with its first one, and keeps it. If another transaction is appending to a chain,
 * its head row is waited for only if the chain was requested by name.
 */
export async function assignOrigins(db: Queryable, service: string, ids: number[] | null): Promise<void> {
  await (ids ? GIVE_ORIGINS_TO.run(db, { service, ids }) : GIVE_ORIGINS.run(db, { service }));
}

/** A chain that a retired key signed is due if another key can sign for its name. */
const IS_SIGNED = `(c.size = coalesce(k.size, 0) AND (k.size IS NULL OR k.key_id = ANY ($keyIds::text[])
    OR split_part(c.origin, '/', 1) <> ALL ($names::text[])))`;
const COLUMNS = `c.id, c.center_id AS "centerId", c.domain, c.size, c.head_hash AS "headHash", c.origin,
  k.size AS "signedSize", k.root_hash AS "signedRoot", k.note, ${IS_SIGNED} AS "isSigned",
  coalesce((SELECT n.index + 1 FROM ledger_node n WHERE n.chain_id = c.id AND n.level = 0
            ORDER BY n.index DESC LIMIT 1), 0) AS "treeSize"`;
const NEWEST = `LEFT JOIN LATERAL (
  SELECT size, root_hash, note, key_id FROM checkpoint WHERE chain_id = c.id ORDER BY ${NEWEST_FIRST} LIMIT 1) k ON true`;

const DUE_CHAINS = sql('due_chains', CHAIN_ROW)`
  SELECT ${COLUMNS} FROM ledger_chain c ${NEWEST}
  WHERE c.id > $after AND c.origin IS NOT NULL AND NOT ${IS_SIGNED} ORDER BY c.id LIMIT $limit`;

/**
 * The chains after an id that differ from their newest checkpoint, including chains that got shorter, and chains that only a
 * retired or lost key has signed.
 */
export async function dueChains(
  db: Queryable,
  { active }: Keyring,
  after: number,
  limit: number,
): Promise<DueChain[]> {
  return DUE_CHAINS.rows(db, { after, limit, ...active });
}

const NAMED_CHAINS = sql('named_chains', CHAIN_ROW)`
  SELECT ${COLUMNS} FROM ledger_chain c ${NEWEST}
  WHERE c.id = ANY ($ids::int[]) AND c.origin IS NOT NULL AND c.size > 0 ORDER BY c.id`;

/** The same for given chains, whether due or not. */
export async function namedChains(db: Queryable, { active }: Keyring, ids: number[]): Promise<DueChain[]> {
  return NAMED_CHAINS.rows(db, { ids, ...active });
}

export interface NewCheckpoint {
  id: string;
  chainId: number;
  size: number;
  rootHash: string;
  headHash: string;
  note: string;
  keyId: string;
  logIndex: number;
}

const INSERT_CHECKPOINTS = sql('insert_checkpoints')`
  INSERT INTO checkpoint (id, chain_id, size, root_hash, head_hash, note, key_id, log_index, created_at, log)
  SELECT *, $createdAt::timestamptz, current_log()
  FROM unnest($ids::text[], $chainIds::int[], $sizes::int[], $rootHashes::text[], $headHashes::text[], $notes::text[], $keyIds::text[], $logIndexes::bigint[])`;

export async function insertCheckpoints(
  db: Queryable,
  rows: NewCheckpoint[],
  createdAt: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await INSERT_CHECKPOINTS.run(db, {
    ids: rows.map(({ id }) => id),
    chainIds: rows.map(({ chainId }) => chainId),
    sizes: rows.map(({ size }) => size),
    rootHashes: rows.map(({ rootHash }) => rootHash),
    headHashes: rows.map(({ headHash }) => headHash),
    notes: rows.map(({ note }) => note),
    keyIds: rows.map(({ keyId }) => keyId),
    logIndexes: rows.map(({ logIndex }) => logIndex),
    createdAt,
  });
}
