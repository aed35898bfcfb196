// Signing the head log.
import { formatCheckpoint } from '@countersign/proof-kit';
import type { Queryable } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { type Keyring, signText } from '../keys/ring.ts';
import { inTransaction, type LedgerApp } from '../ledger-app.ts';
import { SigningRefused } from '../notes/faults.ts';
import type { CheckpointFile } from '../notes/file.ts';
import type { FiledNote } from '../notes/lines.ts';
import { type Logs, syncClosedLogs } from './closed-logs.ts';
import { type Head, lockLog, newestHead, readEdge } from './current-log.ts';
import { type PresentLog, requireHeld } from './held.ts';

/** Lines appended to the file in one write. */
const PAGE = 2_000;

/**
 * Signs the current state of the log, unless the newest head already covers it. Before a head becomes visible, the file holds
 * it and every entry it covers. The log must be consistent with all heads signed before.
 */
export async function signHead(app: LedgerApp, ring: Keyring): Promise<Head> {
  return inTransaction(app, async (db) => {
    await lockLog(db);
    const [edge, newest] = [await readEdge(db), await newestHead(db)];
    await app.checkpointFile.refresh();
    const { origin, number: log } = await syncClosedLogs(app, db, ring);
    const present = { origin, log, size: edge.size, root: edge.root() };
    await requireHeld(app, db, ring, newest, present);
    return newest?.size === edge.size ? newest : signAt(app, db, ring, present);
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
