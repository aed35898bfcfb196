import { inclusionPlan, leafHash, planNodes, resolvePlan, verifyInclusion } from '@countersign/proof-kit';
import type { Queryable } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { sha256Bytes } from '../../../lib/crypto.ts';
import { HistoryChanged } from '../checkpoints/finding.ts';
import { readNodes } from '../checkpoints/tree-store.ts';

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
