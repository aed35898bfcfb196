import type { Checkpoint } from '../../../db/generated/prisma/client.ts';
import { keyNameFor, noteKeyId, parseCheckpoint, verifyNote } from '../../../proof-kit/index.ts';
import type { App } from '../../app.ts';
import { HistoryChanged } from './finding.ts';
import { type ServiceKey, serviceKeys } from './signing-key.ts';
import type { Queryable } from './tree-store.ts';

/** A statement about a chain that this service signed, and that the chain must still fulfil. */
export interface Commitment {
  source: 'table' | 'file';
  size: number;
  root: Uint8Array;
}

export interface SignedBefore {
  /** The newest in the table. */
  stored: Checkpoint | undefined;
  /** That one and the largest in the file. */
  commitments: Commitment[];
}

const COLUMNS = `id, chain_id AS "chainId", size, root_hash AS "rootHash", head_hash AS "headHash", note,
                 key_id AS "keyId", created_at AS "createdAt"`;

/** The newest stored checkpoint of a chain. */
export async function latestCheckpoint(db: Queryable, chainId: number): Promise<Checkpoint | undefined> {
  const { rows } = await db.query<Checkpoint>({
    name: 'latest_checkpoint',
    text: `SELECT ${COLUMNS} FROM checkpoint WHERE chain_id = $1 ORDER BY size DESC LIMIT 1`,
    values: [chainId],
  });
  return rows[0];
}

export async function insertCheckpoint(db: Queryable, row: Checkpoint): Promise<Checkpoint> {
  // Whoever else stored a checkpoint of this size stored the same one: the signature has no randomness.
  await db.query(
    `INSERT INTO checkpoint (id, chain_id, size, root_hash, head_hash, note, key_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (chain_id, size) DO NOTHING`,
    [row.id, row.chainId, row.size, row.rootHash, row.headHash, row.note, row.keyId, row.createdAt],
  );
  return (await latestCheckpoint(db, row.chainId))!;
}

/** What was last signed about a chain according to the table and to the file. Throws for a forged row. */
export async function signedBefore(
  app: App,
  db: Queryable,
  chainId: number,
  origin: string,
): Promise<SignedBefore> {
  const keys = await serviceKeys(db);
  const stored = await latestCheckpoint(db, chainId);
  const commitments: Commitment[] = [];
  if (stored) commitments.push(await readStored(stored, origin, keys));
  const filed = await app.checkpointFile.latest(origin);
  for (const { publicKey } of keys) {
    const key = { name: keyNameFor(origin), publicKey: Buffer.from(publicKey, 'base64') };
    const checkpoint = filed.get(noteKeyId(key))?.checkpoint;
    // What other keys signed in this file belongs to other databases.
    if (checkpoint && (await verifyNote(checkpoint.note, key)) === 'valid') {
      commitments.push({ source: 'file', size: checkpoint.size, root: checkpoint.root });
    }
  }
  return { stored, commitments };
}

async function readStored(row: Checkpoint, origin: string, keys: ServiceKey[]): Promise<Commitment> {
  const forged = () =>
    new HistoryChanged(
      'forged_checkpoint',
      row.size - 1,
      `the stored checkpoint ${row.id} is not what was signed`,
    );
  const key = keys.find(({ id }) => id === row.keyId);
  const checkpoint = tryParse(row.note);
  if (!key || !checkpoint) throw forged();
  const name = { name: keyNameFor(origin), publicKey: Buffer.from(key.publicKey, 'base64') };
  const genuine =
    checkpoint.origin === origin &&
    checkpoint.size === row.size &&
    Buffer.from(checkpoint.root).toString('hex') === row.rootHash &&
    (await verifyNote(checkpoint.note, name)) === 'valid';
  if (!genuine) throw forged();
  return { source: 'table', size: checkpoint.size, root: checkpoint.root };
}

function tryParse(note: string) {
  try {
    return parseCheckpoint(note);
  } catch {
    return null;
  }
}
