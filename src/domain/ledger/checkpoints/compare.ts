import { chainOrigin } from '../../../proof-kit/index.ts';
import type { App } from '../../app.ts';
import { rootKeeping } from './commitments.ts';
import { type Finding, HistoryChanged } from './finding.ts';
import { SigningRefused } from './keys/refused.ts';
import { type Keyring, readKeyring } from './keys/ring.ts';
import { everyChain, type Queryable } from './queryable.ts';
import { recomputeChain } from './recompute.ts';
import { type Commitment, type SignedChain, signedBefore } from './signed-before.ts';

/** A chain by what names it, so that one that is gone can be asked for too. */
export interface NamedChain {
  /** Null where there is no such chain any more, or none yet. */
  chainId: number | null;
  centerId: number | null;
  domain: string;
}

/**
 * Whether a chain still is what was last signed about it, by the table and by the file outside the database: a walk
 * along the chain alone cannot see a cut tail, a history that was rewritten to its end, or a chain that is gone. Takes
 * for granted that the walk has found every hash and link to be right; then a few reads are enough, whatever the length
 * of the chain.
 */
export async function compareWithCheckpoints(app: App, named: NamedChain): Promise<Finding | null> {
  const db = everyChain(app);
  const { chainId } = named;
  await app.checkpointFile.refresh();
  const chain = await readChain(app, db, named);
  const signed = chain.note !== null || app.checkpointFile.find(chain.origin) !== undefined;
  if (!signed) return null;
  try {
    // First what was signed, then the length: records are there before anybody signs them.
    const commitments = await signedBefore(chain, await knownKeys(app), app.checkpointFile);
    const length = chainId === null ? 0 : await lengthOf(db, chainId);
    for (const commitment of commitments) {
      if (commitment.size > length) return cutTail(commitment, length);
      const finding = chainId === null ? null : await keeps(db, chainId, commitment);
      if (finding) return finding;
    }
    return null;
  } catch (error) {
    if (error instanceof HistoryChanged) return error.finding;
    throw error;
  }
}

/** The keys whose signatures count. A history that does not hold, or is gone, knows no key. */
async function knownKeys(app: App): Promise<Keyring> {
  try {
    return await readKeyring(app);
  } catch (error) {
    if (!(error instanceof SigningRefused)) throw error;
    throw new HistoryChanged('unknown_key', 0, error.message);
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

/** A chain that has no name yet, or is gone, is looked for under the name it would have. */
async function readChain(
  app: App,
  db: Queryable,
  { chainId, centerId, domain }: NamedChain,
): Promise<SignedChain> {
  const { rows } = await db.query<Omit<SignedChain, 'origin'> & { origin: string | null }>(
    `SELECT c.center_id AS "centerId", c.domain, c.origin,
            k.size AS "signedSize", k.root_hash AS "signedRoot", k.note
     FROM (SELECT $1::int AS id) named LEFT JOIN ledger_chain c ON c.id = named.id
     LEFT JOIN LATERAL (
       SELECT size, root_hash, note FROM checkpoint WHERE chain_id = named.id ORDER BY size DESC LIMIT 1) k ON true`,
    [chainId],
  );
  const origin = rows[0]!.origin ?? chainOrigin(app.config.publicUrl, centerId, domain);
  return { ...rows[0]!, centerId, domain, origin };
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
