import {
  consistencyPlan,
  leafHash,
  planNodes,
  resolvePlan,
  rootPlan,
  treeRoot,
  verifyConsistency,
} from '@countersign/proof-kit';
import { sql } from '../../../db/sql.ts';
import { sha256Bytes } from '../../../lib/crypto.ts';
import { HistoryChanged } from './finding.ts';
import type { Queryable } from './queryable.ts';
import type { Commitment } from './signed-before.ts';
import { readNodes } from './tree-store.ts';

/** The root of the stored tree at a size, after checking that the tree is consistent with every commitment up to that size. */
export async function verifiedRoot(
  db: Queryable,
  chainId: number,
  size: number,
  commitments: Commitment[],
): Promise<Uint8Array> {
  const lasts = commitments.map((commitment) => ({ level: 0, index: commitment.size - 1 }));
  const plans = commitments.map((commitment) => consistencyPlan(commitment.size, size));
  const lookup = await readNodes(db, chainId, [...planNodes([rootPlan(size), ...plans].flat()), ...lasts]);
  const hashes = await recordHashes(
    db,
    chainId,
    lasts.map(({ index }) => index),
  );
  const root = treeRoot(size, lookup, sha256Bytes);
  for (const [i, first] of commitments.entries()) {
    const proof = resolvePlan(plans[i]!, lookup, sha256Bytes);
    if (!verifyConsistency({ first, second: { size, root }, proof }, sha256Bytes)) {
      throw changed(first, 'the tree no longer holds the one it describes');
    }
    // A record's hash covers all earlier records, so this one leaf ties the records to the tree.
    const last = first.size - 1;
    const hash = hashes.get(last);
    const leaf = hash && leafHash(Buffer.from(hash, 'hex'), sha256Bytes);
    if (!leaf || Buffer.compare(leaf, lookup(0, last)) !== 0) {
      throw changed(first, `record ${last} is another one than it covers`);
    }
  }
  return root;
}

function changed({ size, source }: Commitment, what: string): HistoryChanged {
  return new HistoryChanged('rewritten', 0, `the checkpoint of size ${size} in the ${source}: ${what}`);
}

const RECORD_HASHES = sql('record_hashes', { index: 'int', hash: 'text' })`
  SELECT index, hash FROM ledger_record WHERE chain_id = $chainId AND index = ANY ($indexes::int[])`;

async function recordHashes(db: Queryable, chainId: number, indexes: number[]): Promise<Map<number, string>> {
  const rows = await RECORD_HASHES.rows(db, { chainId, indexes });
  return new Map(rows.map(({ index, hash }) => [index, hash]));
}
