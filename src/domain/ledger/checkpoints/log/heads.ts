import {
  consistencyPlan,
  formatCheckpoint,
  type LogEdge,
  logOrigin,
  verifyConsistency,
} from '@countersign/proof-kit';
import { sha256Bytes } from '../../../../lib/crypto.ts';
import type { LedgerApp } from '../../ledger-app.ts';
import { type CheckpointFile, type FileEntry, fingerprintOf } from '../file.ts';
import { SigningRefused } from '../keys/refused.ts';
import type { Keyring } from '../keys/ring.ts';
import { inTransaction, type Queryable } from '../queryable.ts';
import { signText } from '../sign-text.ts';
import { signedBy, tryParse } from '../signatures.ts';
import { lockLog, readEdge } from './edge.ts';
import { proveInLog } from './tiles.ts';

/** A signed state of the head log. */
export interface Head {
  size: number;
  /** In hex. */
  rootHash: string;
  /** Signed by this service; the cosignatures of witnesses come after it. */
  note: string;
  createdAt: Date;
}

interface HeadRow extends Omit<Head, 'size'> {
  size: string;
}

/** Lines of the file written together. */
const PAGE = 2_000;

export async function newestHead(db: Queryable): Promise<Head | null> {
  const { rows } = await db.query<HeadRow>({
    name: 'newest_head',
    text: `SELECT size, root_hash AS "rootHash", note, created_at AS "createdAt"
           FROM log_head ORDER BY size DESC LIMIT 1`,
    values: [],
  });
  return rows[0] ? { ...rows[0], size: Number(rows[0].size) } : null;
}

/**
 * Signs the log as it stands, unless the newest head says the same already. A head that anybody can see is in the file
 * before, together with every entry that it covers. The log must still hold all heads signed before.
 */
export async function signHead(app: LedgerApp, ring: Keyring): Promise<Head> {
  return inTransaction(app, async (db) => {
    await lockLog(db);
    const [edge, newest] = [await readEdge(db), await newestHead(db)];
    const root = edge.root();
    const rootHash = Buffer.from(root).toString('hex');
    const origin = (newest && tryParse(newest.note)?.origin) ?? logOrigin(app.config.publicUrl);
    await app.checkpointFile.refresh();
    const before = await headsBefore(app.checkpointFile, newest, origin, ring);
    for (const head of before) await requireHeld(app, db, head, edge, root);
    if (newest?.size === edge.size) return newest;

    const createdAt = new Date();
    const note = await signText(formatCheckpoint({ origin, size: edge.size, root }), ring.signersFor(origin));
    await fileEntries(db, app.checkpointFile, app.checkpointFile.find(origin)?.size ?? 0, edge.size);
    await app.checkpointFile.append([{ note, createdAt }]);
    await db.query('INSERT INTO log_head (size, root_hash, note, created_at) VALUES ($1, $2, $3, $4)', [
      edge.size,
      rootHash,
      note,
      createdAt,
    ]);
    return { size: edge.size, rootHash, note, createdAt };
  });
}

interface SignedHead {
  source: 'table' | 'file';
  size: number;
  root: Uint8Array;
}

/** The largest heads in the table and in the file; throws for what this service did not sign. */
async function headsBefore(
  file: CheckpointFile,
  newest: Head | null,
  origin: string,
  ring: Keyring,
): Promise<SignedHead[]> {
  const heads: SignedHead[] = [];
  if (newest) heads.push(genuine('table', newest.note, newest.size, origin, ring));
  const filed = file.find(origin);
  if (filed && !(newest && filed.size === newest.size && filed.fingerprint === fingerprintOf(newest.note))) {
    const line = await file.read(filed);
    heads.push(genuine('file', line?.text ?? '', filed.size, origin, ring));
  }
  const unknown = [...(filed?.keyIds ?? [])].some((keyId) => !ring.verifier(origin, keyId));
  if (unknown)
    throw new SigningRefused('a head in the file is signed by a key that the key history does not know');
  return heads;
}

function genuine(
  source: SignedHead['source'],
  note: string,
  size: number,
  origin: string,
  ring: Keyring,
): SignedHead {
  const head = tryParse(note);
  const by = head && head.origin === origin && head.size === size ? signedBy(head, ring) : 'forged';
  if (by === 'unknown')
    throw new SigningRefused(
      `the head in the ${source} is signed by a key that the key history does not know`,
    );
  if (by === 'forged' || !head) throw new SigningRefused(`the head in the ${source} is not what was signed`);
  return { source, size: head.size, root: head.root };
}

async function requireHeld(
  app: LedgerApp,
  db: Queryable,
  head: SignedHead,
  edge: LogEdge,
  root: Uint8Array,
): Promise<void> {
  if (head.size > edge.size)
    throw new SigningRefused(
      `a head in the ${head.source} covers ${head.size} entries of the head log, which has ${edge.size}`,
    );
  const proof = await proveInLog(app, db, consistencyPlan(head.size, edge.size), edge.size).catch(
    (error: Error) => {
      throw new SigningRefused(error.message, { cause: error });
    },
  );
  if (!verifyConsistency({ first: head, second: { size: edge.size, root }, proof }, sha256Bytes))
    throw new SigningRefused(
      `the head log no longer holds the head of size ${head.size} in the ${head.source}`,
    );
}

/** Brings the file up to date with the log: usually the entries of this round, on a new machine all of them. */
async function fileEntries(db: Queryable, file: CheckpointFile, from: number, to: number): Promise<void> {
  for (let at = from; at < to; ) {
    const { rows } = await db.query<{ index: string; note: string; createdAt: Date }>({
      name: 'log_entries_for_file',
      text: `SELECT log_index AS index, note, created_at AS "createdAt" FROM checkpoint
             WHERE log_index >= $1 AND log_index < $2 ORDER BY log_index LIMIT ${PAGE}`,
      values: [at, to],
    });
    if (rows.length === 0) throw new SigningRefused(`entry ${at} of the head log is missing`);
    const entries: FileEntry[] = rows.map((row) => ({ ...row, index: Number(row.index) }));
    await file.append(entries);
    at = entries.at(-1)!.index! + 1;
  }
}
