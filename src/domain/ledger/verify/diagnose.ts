// Finds out what changed in a chain that no longer matches its checkpoints, by recomputing its roots from its records.
import { Frontier } from '@countersign/proof-kit';
import type { Queryable } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { sha256Bytes } from '../../../lib/crypto.ts';
import type { Finding } from '../notes/faults.ts';
import type { Commitment } from '../notes/signed-before.ts';

/** The fault of a chain whose stored tree or records do not hold these commitments. */
export async function diagnose(
  db: Queryable,
  chainId: number,
  commitments: Commitment[],
  message: string,
): Promise<Finding> {
  const checkpoints = await checkpointRoots(db, chainId);
  const sizes = commitments.map((commitment) => commitment.size);
  const roots = await recomputeRoots(db, chainId, [...sizes, ...checkpoints.keys()]);
  const departed = commitments.find(
    (each) => roots.get(each.size) !== Buffer.from(each.root).toString('hex'),
  );
  const size = departed?.size ?? Math.max(...sizes);
  const changed = await firstChangedLeaf(db, chainId, size);
  if (!departed) return { kind: 'damaged_tree', index: changed ?? 0, message };
  if (changed !== null) return { kind: 'rewritten', index: changed, message };
  // Records and tree were rewritten consistently: report the first record that no intact checkpoint covers.
  let vouched = 0;
  for (const [at, stored] of checkpoints) {
    if (roots.get(at) !== stored) break;
    vouched = at;
  }
  return { kind: 'rewritten', index: Math.min(vouched, size - 1), message };
}

const ROOTS = sql('checkpoint_roots', { size: 'int', root: 'text' })`
  SELECT size, root_hash AS root FROM checkpoint WHERE chain_id = $chainId ORDER BY size`;

/** Roots in the table by size, smallest first. */
async function checkpointRoots(db: Queryable, chainId: number): Promise<Map<number, string>> {
  const rows = await ROOTS.rows(db, { chainId });
  return new Map(rows.map(({ size, root }) => [size, root]));
}

const FIRST_CHANGED_LEAF = sql('first_changed_leaf', { index: 'int?' })`
  SELECT min(n.index) AS index FROM ledger_node n
  LEFT JOIN ledger_record r ON r.chain_id = n.chain_id AND r.index = n.index
  WHERE n.chain_id = $chainId AND n.level = 0 AND n.index < $size
    AND n.hash IS DISTINCT FROM encode(sha256('\\x00'::bytea || decode(r.hash, 'hex')), 'hex')`;

/** The first record whose leaf in the stored tree does not match its hash. */
async function firstChangedLeaf(db: Queryable, chainId: number, size: number): Promise<number | null> {
  const [changed] = await FIRST_CHANGED_LEAF.rows(db, { chainId, size });
  return changed!.index;
}

const BATCH = 2_000;
const HASHES = sql('hashes_to_recompute', { index: 'int', hash: 'text' })`
  SELECT index, hash FROM ledger_record WHERE chain_id = $chainId AND index >= $from ORDER BY index LIMIT ${BATCH}`;

/** The root over the stored record hashes at each requested size, in hex. Sizes beyond the first missing record are absent. */
async function recomputeRoots(
  db: Queryable,
  chainId: number,
  sizes: Iterable<number>,
): Promise<Map<number, string>> {
  const wanted = new Set(sizes);
  const tree = new Frontier(sha256Bytes);
  const roots = new Map<number, string>();
  for (;;) {
    const rows = await HASHES.rows(db, { chainId, from: tree.size });
    for (const { index, hash } of rows) {
      if (index !== tree.size) return roots;
      tree.append(Buffer.from(hash, 'hex'));
      if (wanted.has(tree.size)) roots.set(tree.size, Buffer.from(tree.root()).toString('hex'));
    }
    if (rows.length < BATCH) return roots;
  }
}
