import type { Checkpoint } from '../../../db/generated/prisma/client.ts';
import { newId } from '../../../lib/ids.ts';
import { chainOrigin, keyNameFor, signCheckpoint } from '../../../proof-kit/index.ts';
import type { App } from '../../app.ts';
import { withChainLock } from './chain-lock.ts';
import { rootKeeping } from './commitments.ts';
import { HistoryChanged } from './finding.ts';
import { growStoredTree } from './grow.ts';
import { insertCheckpoint, signedBefore } from './signed-before.ts';
import { currentSigner, type Signer } from './signing-key.ts';
import type { Queryable } from './tree-store.ts';

interface Chain {
  id: number;
  centerId: number | null;
  domain: string;
  size: number;
  headHash: string;
  origin: string | null;
}

/**
 * Signs what a chain is now: its size and the root of the tree over all its records. Answers with the newest
 * checkpoint, which is an older one when nothing was added since; null for a chain without records.
 *
 * A signer must never sign two views that contradict each other. So the chain must still hold everything signed
 * before, by the table and by the file; where it does not, nothing is signed and HistoryChanged is thrown.
 */
export async function makeCheckpoint(app: App, chainId: number): Promise<Checkpoint | null> {
  const signer = await currentSigner(app);
  try {
    return await withChainLock(app, chainId, (db) => make(app, db, chainId, signer));
  } catch (error) {
    if (error instanceof HistoryChanged) {
      app.metrics.checkpoints.inc({ result: 'refused' });
      app.log.error(
        { chainId, finding: error.finding },
        'no checkpoint signed: the history of a chain changed',
      );
    }
    throw error;
  }
}

async function make(app: App, db: Queryable, chainId: number, signer: Signer): Promise<Checkpoint | null> {
  const chain = await readChain(db, chainId);
  if (!chain) return null;
  const origin = chain.origin ?? (await giveOrigin(app, db, chain));
  const { stored, commitments } = await signedBefore(app, db, chainId, origin);
  for (const { size, source } of commitments) {
    if (size > chain.size) {
      const message = `a checkpoint in the ${source} covers ${size} records, the chain has ${chain.size}`;
      throw new HistoryChanged('cut_tail', chain.size, message);
    }
  }
  const head = await growStoredTree(db, chainId, chain.size);
  if (head === null || head !== chain.headHash) {
    throw new HistoryChanged('rewritten', chain.size - 1, 'the head of the chain is not its last record');
  }
  const root = await rootKeeping(db, chainId, chain.size, commitments);
  if (stored?.size === chain.size) return stored;

  const createdAt = new Date();
  const key = { name: keyNameFor(origin), publicKey: Buffer.from(signer.publicKey, 'base64') };
  const note = await signCheckpoint({ origin, size: chain.size, root }, key, signer.sign);
  // The file first: a checkpoint that anybody can see is also in the witness that outlives the database.
  await app.checkpointFile.append(note, createdAt);
  app.metrics.checkpoints.inc({ result: 'made' });
  return insertCheckpoint(db, {
    id: newId('chk'),
    chainId,
    size: chain.size,
    rootHash: Buffer.from(root).toString('hex'),
    headHash: head,
    note,
    keyId: signer.id,
    createdAt,
  });
}

/** Undefined for a chain that does not exist or has no records yet. */
async function readChain(db: Queryable, chainId: number): Promise<Chain | undefined> {
  const { rows } = await db.query<Chain>(
    `SELECT id, center_id AS "centerId", domain, size, head_hash AS "headHash", origin
     FROM ledger_chain WHERE id = $1 AND size > 0`,
    [chainId],
  );
  return rows[0];
}

/** From now on the chain keeps this name, wherever the service moves. */
async function giveOrigin(app: App, db: Queryable, chain: Chain): Promise<string> {
  const origin = chainOrigin(app.config.publicUrl, chain.centerId, chain.domain);
  await db.query('UPDATE ledger_chain SET origin = $2 WHERE id = $1 AND origin IS NULL', [chain.id, origin]);
  return origin;
}
