import { chainOrigin } from '../../../proof-kit/index.ts';
import type { App } from '../../app.ts';
import { rootKeeping } from './commitments.ts';
import { type Finding, HistoryChanged } from './finding.ts';
import { recomputeChain } from './recompute.ts';
import { type Commitment, signedBefore } from './signed-before.ts';
import type { Queryable } from './tree-store.ts';

interface Chain {
  centerId: number | null;
  domain: string;
  origin: string | null;
}

/**
 * Whether a chain still is what was last signed about it, by the table and by the file outside the database: a walk
 * along the chain alone cannot see a cut tail or a history that was rewritten to its end. Takes for granted that the
 * walk has found every hash and link to be right; then a few reads are enough, whatever the length of the chain.
 */
export async function compareWithCheckpoints(app: App, chainId: number): Promise<Finding | null> {
  const db = app.db.pool;
  const chain = await readChain(db, chainId);
  if (!chain) return null;
  const origin = chain.origin ?? chainOrigin(app.config.publicUrl, chain.centerId, chain.domain);
  try {
    // First what was signed, then the length: records are there before anybody signs them.
    const { commitments } = await signedBefore(app, db, chainId, origin);
    const length = await lengthOf(db, chainId);
    for (const commitment of commitments) {
      if (commitment.size > length) return cutTail(commitment, length);
      const finding = await keeps(db, chainId, commitment);
      if (finding) return finding;
    }
    return null;
  } catch (error) {
    if (error instanceof HistoryChanged) return error.finding;
    throw error;
  }
}

function cutTail({ size, source }: Commitment, length: number): Finding {
  const message = `a checkpoint in the ${source} covers ${size} records, the chain has ${length}`;
  return { kind: 'cut_tail', index: length, message };
}

/** The stored tree answers quickly; only when it says no, everything is computed anew to find out what is wrong. */
async function keeps(db: Queryable, chainId: number, commitment: Commitment): Promise<Finding | null> {
  try {
    await rootKeeping(db, chainId, commitment.size, [commitment]);
    return null;
  } catch (error) {
    if (!(error instanceof HistoryChanged)) throw error;
    return diagnose(db, chainId, commitment, error.message);
  }
}

async function diagnose(
  db: Queryable,
  chainId: number,
  { size, root }: Commitment,
  message: string,
): Promise<Finding> {
  const checkpoints = await checkpointRoots(db, chainId);
  const { roots } = await recomputeChain(db, chainId, [size, ...checkpoints.keys()]);
  if (roots.get(size) === Buffer.from(root).toString('hex'))
    return { kind: 'damaged_tree', index: 0, message };
  const changed = await firstChangedLeaf(db, chainId, size);
  if (changed !== null) return { kind: 'rewritten', index: changed, message };
  // Records and tree were rewritten alike: the first record that no intact checkpoint vouches for.
  let vouched = 0;
  for (const [at, stored] of checkpoints) {
    if (roots.get(at) !== stored) break;
    vouched = at;
  }
  return { kind: 'rewritten', index: Math.min(vouched, size - 1), message };
}

async function readChain(db: Queryable, chainId: number): Promise<Chain | undefined> {
  const { rows } = await db.query<Chain>(
    'SELECT center_id AS "centerId", domain, origin FROM ledger_chain WHERE id = $1',
    [chainId],
  );
  return rows[0];
}

async function lengthOf(db: Queryable, chainId: number): Promise<number> {
  const { rows } = await db.query<{ length: number }>(
    'SELECT coalesce(max(index) + 1, 0) AS length FROM ledger_record WHERE chain_id = $1',
    [chainId],
  );
  return rows[0]!.length;
}

/** Roots by size, as the table has them, smallest first. */
async function checkpointRoots(db: Queryable, chainId: number): Promise<Map<number, string>> {
  const { rows } = await db.query<{ size: number; root: string }>(
    'SELECT size, root_hash AS root FROM checkpoint WHERE chain_id = $1 ORDER BY size',
    [chainId],
  );
  return new Map(rows.map(({ size, root }) => [size, root]));
}

/** The first record whose leaf in the stored tree is that of another record. */
async function firstChangedLeaf(db: Queryable, chainId: number, size: number): Promise<number | null> {
  const { rows } = await db.query<{ index: number | null }>(
    `SELECT min(n.index) AS index FROM ledger_node n
     LEFT JOIN ledger_record r ON r.chain_id = n.chain_id AND r.index = n.index
     WHERE n.chain_id = $1 AND n.level = 0 AND n.index < $2
       AND n.hash IS DISTINCT FROM encode(sha256('\\x00'::bytea || decode(r.hash, 'hex')), 'hex')`,
    [chainId, size],
  );
  return rows[0]!.index;
}
