// History after a lost tail. A database can lose what it has committed: a failover to a standby that lagged, or a restore from
// a backup. What was signed about the lost records is still in the checkpoint file and with the witnesses. If the service
// continued, it would sign a second history of the same sizes, and verifiers would see a service that contradicts itself.
//
// So the loss is detected before anything is signed, by each source that remembers more than the database:
//
//   the file      the head log must hold the newest head of the file (log/held.ts): when an API process starts, in every round,
//                 and whenever the database returns from an outage. A chain must also hold its newest checkpoint in the file when
//                 it is signed (signing/sequence.ts).
//   the table     a chain must be as long as its newest checkpoint in the database says (signing/sequence.ts).
//   a witness     it has cosigned a larger log than this one, or refuses it as a contradiction (witnesses/submit.ts).
//
// The states are rows of `history_state`, shared by all processes (findings.ts), one for each subject and source:
//
//   no findings    the service signs and seals.
//   contradicted   a witness refuses the log. Nothing is signed; sealing continues.
//   lost           nothing is signed and nothing is sealed. Decisions can still be recorded, and everything can be read.
//
// Two ways lead back. If the missing rows return (the old server, a better backup), findings are cleared by their source: a
// finding about the log by the process with that file in its next comparison, one of the table in any comparison, one of a
// witness when it cosigns. Otherwise an administrator accepts the loss, which deletes all findings and cannot be undone.
//
// To accept it, one transaction holds the lock of the log, so that nothing is signed meanwhile:
//
//   1. Inspect: ask all witnesses, read the file, and compare the log and every chain that was ever signed.
//   2. Refuse if the database itself holds a checkpoint of more records than their chain has: it is damaged, not just behind.
//   3. Complete the log up to its largest known head, from the entries in the file. If that is not possible, sign the log as far
//      as it is there, so that its last entries keep a proof.
//   4. Sign a statement that closes the log: its largest known head, its successor, and the chains that lost records.
//   5. Journal the loss: one entry for each chain and one for the log. Store the statement, and delete all findings.
//
// After the commit, the statement is appended to the file as in every comparison (log/closed-logs.ts): each copy of the statements
// gets what it lacks before anything is signed in the new log.
//
// Witnesses and monitors do not follow to the new log by themselves. Their operators accept the statement by its digest. A witness
// that waits for this answers 422 and names the digest, which is no contradiction (witnesses/submit.ts).
//
// From then on `current_log()` is the successor. The file forgets what it knew about the truncated chains, verification accepts
// that they continue from a smaller size, and the next round signs them in the new log. Processes with another file learn of the
// statement from the database in their next comparison: each copy of the statements gets what it lacks (log/closed-logs.ts).
//
// Who waits for whom: rounds wait for the lock of the log. Sealing does not wait; it is refused until the findings are gone.
//
// What a crash leaves behind:
//
//   before the commit  nothing in the database: the findings still stop the service. The head of step 3 may be in the file. It is
//                      genuine, and the log holds it. Accept the loss again.
//   after the commit   the loss is accepted. The file may lack the statement until the next comparison.
import {
  closingDigest,
  numberedLogOrigin,
  type PublishedClosing,
  parseCheckpoint,
  parseOrigin,
  serviceName,
} from '@countersign/proof-kit';
import { parseSignedNote } from '@countersign/proof-kit/note';
import type { PoolClient } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { sha256Bytes } from '../../../lib/crypto.ts';
import { DomainError, validationError } from '../../../lib/errors.ts';
import { appendJournal } from '../chains/journal.ts';
import { openKeyring } from '../keys/change.ts';
import type { Keyring } from '../keys/ring.ts';
import { inTransaction, type LedgerApp } from '../ledger-app.ts';
import { insertClosed, signClosing, syncClosedLogs } from '../log/closed-logs.ts';
import { insertTiles, lockLog, logLeaf, newestHead, readEdge } from '../log/current-log.ts';
import { signPresentHead } from '../log/heads.ts';
import { storeClosing } from '../notes/closing.ts';
import { type Inspected, type Inspection, inspectHistory, isAffected } from './inspect.ts';
import { lossEntries } from './losses.ts';

/** Reports what is missing. The only writes bring the copies of the key history and of earlier closings up to date. */
export async function inspectLoss(app: LedgerApp): Promise<Inspection> {
  const ring = await openKeyring(app, serviceName(app.config.publicUrl));
  return inTransaction(app, async (db) => {
    await lockLog(db);
    return inspectHistory(app, db, ring);
  });
}

export interface AcceptedClosing {
  closing: PublishedClosing;
  /** By which the operators of witnesses and monitors accept it. */
  digest: string;
  log: Inspected;
  successor: string;
  /** Whether the closed log can still be read up to its last head. */
  isWhole: boolean;
}

/** A log of which no head is known. */
const EMPTY_LOG = { size: 0, root: sha256Bytes(new Uint8Array()) };

/** Returns null if nothing is missing. */
export async function acceptLoss(app: LedgerApp, reason: string): Promise<AcceptedClosing | null> {
  if (reason.trim() === '') throw validationError([{ path: 'reason', message: 'is required' }]);
  const ring = await openKeyring(app, serviceName(app.config.publicUrl));
  const accepted = await inTransaction(app, async (db) => {
    await lockLog(db);
    const inspection = await inspectHistory(app, db, ring);
    return isAffected(inspection) ? close(app, db, ring, inspection, reason) : null;
  });
  if (accepted) await completeFile(app, ring);
  return accepted;
}

/** Appends the statement to the file of this machine, once it cannot be lost any more. */
async function completeFile(app: LedgerApp, ring: Keyring): Promise<void> {
  await app.checkpointFile.refresh();
  await inTransaction(app, async (db) => {
    await lockLog(db);
    await syncClosedLogs(app, db, ring);
  });
}

async function close(
  app: LedgerApp,
  db: PoolClient,
  ring: Keyring,
  { logs, log, chains }: Inspection,
  reason: string,
): Promise<AcceptedClosing> {
  const affected = chains.filter(({ fault }) => fault !== null);
  await requireLostOnly(db, affected);
  const at = new Date();
  const isWhole = await restoreEntries(app, db, logs.number, log);
  if (!isWhole) await signPresentHead(app, db, ring, logs);
  const head = log.head ?? (await newestHead(db))?.note ?? null;
  const { origin, signedSize, presentSize } = log;
  const last = head === null ? EMPTY_LOG : parseCheckpoint(head);
  const parts = parseOrigin(origin)!;
  const successor = numberedLogOrigin(parts.service, logs.number + 1);
  const closing = await signClosing(
    {
      service: parts.service,
      log: logs.number,
      size: last.size,
      root: last.root,
      next: logs.number + 1,
      at: at.toISOString(),
      reason,
      chains: affected.map((chain) => ({
        origin: chain.origin,
        signed: chain.signedSize,
        present: chain.keptSize,
      })),
    },
    ring,
  );
  const lost = affected.map(({ origin: chain, signedSize: signed, keptSize }) => ({
    chain,
    signedSize: signed,
    presentSize: keptSize,
  }));
  const entries = lossEntries({ chain: origin, signedSize, presentSize, successor, head }, lost, reason);
  await appendJournal(db, entries, at);
  await insertClosed(db, logs.number, storeClosing(closing, head));
  await db.query('DELETE FROM history_state');
  await db.query('UPDATE signing_state SET refused = NULL, at = now()');
  const digest = closingDigest(parseSignedNote(closing.note));
  return { closing, digest, log, successor, isWhole };
}

const DAMAGED_CHAINS = sql('damaged_chains', { origin: 'text', size: 'int', signed: 'int' })`
  SELECT c.origin, c.size, max(k.size) AS signed FROM ledger_chain c JOIN checkpoint k ON k.chain_id = c.id
  WHERE c.origin = ANY ($origins::text[]) GROUP BY c.id HAVING max(k.size) > c.size`;

/** If the database contradicts itself, it is damaged. That needs a restore from a backup and cannot be accepted. */
async function requireLostOnly(db: PoolClient, affected: Inspected[]): Promise<void> {
  const [damaged] = await DAMAGED_CHAINS.rows(db, { origins: affected.map(({ origin }) => origin) });
  if (damaged)
    throw new DomainError(
      'CONFLICT',
      `${damaged.origin} has ${damaged.size} records and the database itself holds a checkpoint of ${damaged.signed}: it is damaged. Restore it from a backup.`,
    );
}

/**
 * Restores entries that only the file still has, up to the last head of the log. Returns whether the log is complete
 * afterwards; it is not if the file lacks entries or the database has different ones.
 */
async function restoreEntries(
  app: LedgerApp,
  db: PoolClient,
  number: number,
  { head: note, presentSize }: Inspection['log'],
): Promise<boolean> {
  if (note === null) return false;
  const head = parseCheckpoint(note);
  if (head.size < presentSize) return false;
  const filed = await app.checkpointFile.entriesOf(number, presentSize);
  const notes: string[] = [];
  for (let index = presentSize; index < head.size; index++) {
    const entry = filed.get(index);
    if (entry === undefined) return false;
    notes.push(entry);
  }
  const edge = await readEdge(db);
  const tiles = edge.append(notes.map(logLeaf));
  if (Buffer.compare(edge.root(), head.root) !== 0) return false;
  await db.query(
    `INSERT INTO closed_log_entry (log, log_index, note)
     SELECT $1, $2::bigint + n - 1, note FROM unnest($3::text[]) WITH ORDINALITY AS e(note, n)`,
    [number, presentSize, notes],
  );
  await insertTiles(db, tiles);
  await db.query(
    `INSERT INTO log_head (log, size, root_hash, note) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    [number, head.size, Buffer.from(head.root).toString('hex'), note],
  );
  return true;
}
