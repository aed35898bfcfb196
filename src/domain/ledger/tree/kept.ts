// Whether a chain's tree and records still hold what was signed about them.
import {
  consistencyPlan,
  inclusionPlan,
  leafHash,
  type NodeLookup,
  planNodes,
  resolvePlan,
  rootPlan,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from '@countersign/proof-kit';
import type { Queryable } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { sha256Bytes } from '../../../lib/crypto.ts';
import { HistoryChanged } from '../notes/faults.ts';
import type { Commitment } from '../notes/signed-before.ts';
import { readNodes } from './nodes.ts';

export function isLeafOf(recordHash: string, leaf: Uint8Array): boolean {
  return Buffer.compare(leafHash(Buffer.from(recordHash, 'hex'), sha256Bytes), leaf) === 0;
}

/** Throws HistoryChanged if a tree does not hold a commitment, or if `lastHash`, its last record's hash, is not in the tree. */
export function requireKept(
  first: Commitment,
  second: { size: number; root: Uint8Array },
  lookup: NodeLookup,
  lastHash: string | undefined,
): void {
  const { size, source } = first;
  const changed = (what: string) =>
    new HistoryChanged(
      'rewritten',
      0,
      `the checkpoint of size ${size} in the ${source}: ${what}`,
      source === 'file' ? { size, source } : null,
    );
  const proof = resolvePlan(consistencyPlan(size, second.size), lookup, sha256Bytes);
  if (!verifyConsistency({ first, second, proof }, sha256Bytes))
    throw changed('the tree no longer holds the one it describes');
  // A record's hash covers all earlier records, so this one leaf ties the records to the tree.
  if (!lastHash || !isLeafOf(lastHash, lookup(0, size - 1)))
    throw changed(`record ${size - 1} is another one than it covers`);
}

/** Throws HistoryChanged if the stored tree at a size does not hold every commitment up to that size. */
export async function requireStoredKept(
  db: Queryable,
  chainId: number,
  size: number,
  commitments: Commitment[],
): Promise<void> {
  const lasts = commitments.map((commitment) => ({ level: 0, index: commitment.size - 1 }));
  const plans = [rootPlan(size), ...commitments.map((commitment) => consistencyPlan(commitment.size, size))];
  const lookup = await readNodes(db, chainId, [...planNodes(plans.flat()), ...lasts]);
  const hashes = await recordHashes(
    db,
    chainId,
    lasts.map(({ index }) => index),
  );
  const second = { size, root: treeRoot(size, lookup, sha256Bytes) };
  for (const first of commitments) requireKept(first, second, lookup, hashes.get(first.size - 1));
}

const RECORD_HASHES = sql('record_hashes', { index: 'int', hash: 'text' })`
  SELECT index, hash FROM ledger_record WHERE chain_id = $chainId AND index = ANY ($indexes::int[])`;

async function recordHashes(db: Queryable, chainId: number, indexes: number[]): Promise<Map<number, string>> {
  const rows = await RECORD_HASHES.rows(db, { chainId, indexes });
  return new Map(rows.map(({ index, hash }) => [index, hash]));
}

const COVERING_CHECKPOINT = sql('covering_checkpoint', { hash: 'text', size: 'int', root: 'text' })`
  SELECT r.hash, c.size, c.root_hash AS root
  FROM ledger_record r CROSS JOIN LATERAL (
    SELECT size, root_hash FROM checkpoint WHERE chain_id = r.chain_id ORDER BY size DESC LIMIT 1) c
  WHERE r.chain_id = $chainId AND r.index = $index::int AND c.size > $index::int`;

/** Whether the stored tree proves that the newest checkpoint covers a record; true if no checkpoint covers it yet. */
export async function isInTree(db: Queryable, chainId: number, index: number): Promise<boolean> {
  const rows = await COVERING_CHECKPOINT.rows(db, { chainId, index });
  const covered = rows[0];
  if (!covered) return true;
  const { size } = covered;
  const leaf = leafHash(Buffer.from(covered.hash, 'hex'), sha256Bytes);
  try {
    const plan = inclusionPlan(index, size);
    const nodes = await readNodes(db, chainId, [...planNodes(plan), { level: 0, index }]);
    // Its own leaf is on the path of its neighbors.
    if (Buffer.compare(nodes(0, index), leaf) !== 0) return false;
    const proof = resolvePlan(plan, nodes, sha256Bytes);
    const root = Buffer.from(covered.root, 'hex');
    return verifyInclusion({ index, size, leaf, proof, root }, sha256Bytes);
  } catch (error) {
    if (error instanceof HistoryChanged) return false;
    throw error;
  }
}
