import { consistencyPlan, formatCheckpoint, verifyConsistency } from '@countersign/proof-kit';
import { type RowOf, sql } from '../../../../db/sql.ts';
import { sha256Bytes } from '../../../../lib/crypto.ts';
import type { LedgerApp } from '../../ledger-app.ts';
import { type CheckpointFile, type FiledNote, fingerprintOf } from '../file.ts';
import { type Logs, syncClosedLogs } from '../history/closed-logs.ts';
import { fileSource, type HistoryFinding, HistoryLost } from '../history/state.ts';
import { SigningRefused } from '../keys/refused.ts';
import { type Keyring, signText } from '../keys/ring.ts';
import { inTransaction, type Queryable } from '../queryable.ts';
import { signedBy, tryParse } from '../signatures.ts';
import { lockLog, readEdge } from './edge.ts';
import { type LogSize, proveInLog } from './tiles.ts';

export const HEAD_ROW = {
  /** The number of the log. */
  log: 'int',
  size: 'float8',
  /** In hex. */
  rootHash: 'text',
  /** Signed by this service, without the cosignatures of witnesses. */
  note: 'text',
  createdAt: 'timestamptz',
} as const;

/** A signed state of a head log. */
export type Head = RowOf<typeof HEAD_ROW>;

export const HEAD_COLUMNS = `h.log, h.size::float8, h.root_hash AS "rootHash", h.note, h.created_at AS "createdAt"`;

/** Lines appended to the file in one write. */
const PAGE = 2_000;

const NEWEST_HEAD = sql('newest_head', HEAD_ROW)`
  SELECT ${HEAD_COLUMNS} FROM log_head h WHERE h.log = current_log() ORDER BY h.size DESC LIMIT 1`;

/** The newest head of the current log. */
export async function newestHead(db: Queryable): Promise<Head | null> {
  const [head] = await NEWEST_HEAD.rows(db, {});
  return head ?? null;
}

/**
 * Signs the current state of the log, unless the newest head already covers it. Before a head becomes visible, the file holds
 * it and every entry it covers. The log must be consistent with all heads signed before.
 */
export async function signHead(app: LedgerApp, ring: Keyring): Promise<Head> {
  return inTransaction(app, async (db) => {
    await lockLog(db);
    const [edge, newest] = [await readEdge(db), await newestHead(db)];
    const root = edge.root();
    await app.checkpointFile.refresh();
    const { origin, number: log } = await syncClosedLogs(app, db, ring);
    const before = await headsBefore(app.checkpointFile, newest, origin, ring);
    for (const head of before) await requireHeld(app, db, head, { origin, log, size: edge.size, root });
    if (newest?.size === edge.size) return newest;
    return signAt(app, db, ring, { origin, log, size: edge.size, root });
  });
}

async function signAt(app: LedgerApp, db: Queryable, ring: Keyring, present: PresentLog): Promise<Head> {
  const { origin, log, size, root } = present;
  const createdAt = new Date();
  const rootHash = Buffer.from(root).toString('hex');
  const note = await signText(formatCheckpoint({ origin, size, root }), ring.signersFor(origin));
  await fileEntries(db, app.checkpointFile, log, app.checkpointFile.find(origin)?.size ?? 0, size);
  await app.checkpointFile.append([{ note, createdAt }]);
  await db.query(
    'INSERT INTO log_head (log, size, root_hash, note, created_at) VALUES ($1, $2, $3, $4, $5)',
    [log, size, rootHash, note, createdAt],
  );
  return { log, size, rootHash, note, createdAt };
}

/**
 * Signs the log as far as the database holds it, before the log is closed: entries that no head covers would have no proof.
 * The caller must hold the log's lock.
 */
export async function signPresentHead(
  app: LedgerApp,
  db: Queryable,
  ring: Keyring,
  logs: Logs,
): Promise<void> {
  const [edge, newest] = [await readEdge(db), await newestHead(db)];
  if (newest?.size === edge.size || edge.size === 0) return;
  const { origin, number: log } = logs;
  await signAt(app, db, ring, { origin, log, size: edge.size, root: edge.root() });
}

interface SignedHead {
  source: 'table' | 'file';
  size: number;
  root: Uint8Array;
  note: string;
}

/** The largest heads in the table and in the file. Throws if this service did not sign them. */
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
  return { source, size: head.size, root: head.root, note };
}

/** The current log as the database holds it. */
interface PresentLog extends LogSize {
  origin: string;
  root: Uint8Array;
}

/** Checks that the log is consistent with a head signed before. A head that only the file holds was lost by the database. */
async function requireHeld(
  app: LedgerApp,
  db: Queryable,
  head: SignedHead,
  present: PresentLog,
): Promise<void> {
  const { size } = present;
  const broken = (message: string, cause?: unknown) =>
    head.source === 'table'
      ? new SigningRefused(message, { cause })
      : new HistoryLost(lostHead(app, head, present, message));
  if (head.size > size)
    throw broken(
      `a head in the ${head.source} covers ${head.size} entries of the head log, which has ${size}`,
    );
  const proof = await proveInLog(app, db, consistencyPlan(head.size, size), present).catch((error: Error) => {
    throw new SigningRefused(error.message, { cause: error });
  });
  if (!verifyConsistency({ first: head, second: present, proof }, sha256Bytes))
    throw broken(`the head log no longer holds the head of size ${head.size} in the ${head.source}`);
}

function lostHead(
  app: LedgerApp,
  { size, note }: SignedHead,
  { origin, size: presentSize }: PresentLog,
  message: string,
): HistoryFinding {
  const source = fileSource(app);
  return { subject: origin, source, kind: 'lost', signedSize: size, presentSize, note, message };
}

/**
 * Checks that the current log is consistent with every head in this process's file. Signs nothing. The caller must hold the
 * log's lock. Throws HistoryLost if it is not, and SigningRefused if it cannot be determined.
 */
export async function requireHeldLog(
  app: LedgerApp,
  db: Queryable,
  ring: Keyring,
  logs: Logs,
): Promise<void> {
  const { origin, number: log } = logs;
  const newest = await newestHead(db);
  const filed = app.checkpointFile.find(origin);
  const isSame = newest && filed?.size === newest.size && filed.fingerprint === fingerprintOf(newest.note);
  if (!filed || isSame) return;
  const edge = await readEdge(db);
  const present = { origin, log, size: edge.size, root: edge.root() };
  for (const head of await headsBefore(app.checkpointFile, newest, origin, ring))
    await requireHeld(app, db, head, present);
}

const LOG_ENTRIES_FOR_FILE = sql('log_entries_for_file', {
  index: 'float8',
  note: 'text',
  createdAt: 'timestamptz',
})`
  SELECT log_index::float8 AS index, note, created_at AS "createdAt" FROM checkpoint
  WHERE log = $log AND log_index >= $at AND log_index < $to ORDER BY log_index LIMIT ${PAGE}`;

/** Appends missing log entries to the file: usually those of this round, on a new machine all of them. */
async function fileEntries(
  db: Queryable,
  file: CheckpointFile,
  log: number,
  from: number,
  to: number,
): Promise<void> {
  for (let at = from; at < to; ) {
    const rows = await LOG_ENTRIES_FOR_FILE.rows(db, { at, to, log });
    if (rows.length === 0) throw new SigningRefused(`entry ${at} of the head log is missing`);
    await file.append(rows.map((row): FiledNote => ({ ...row, ...(log > 1 && { log }) })));
    at = rows.at(-1)!.index + 1;
  }
}
