// An administrator accepts that signed history is lost: the loss is journaled, the log is closed and its successor begins.
import {
  type LogClosing,
  logOrigin,
  parseCheckpoint,
  parseOrigin,
  serviceName,
  successorOf,
} from '@countersign/proof-kit';
import type { PoolClient } from '../../../../db/database.ts';
import { sql } from '../../../../db/sql.ts';
import { DomainError, validationError } from '../../../../lib/errors.ts';
import { appendJournal, authoredEntry, type JournalEntry } from '../../journal.ts';
import type { LedgerApp } from '../../ledger-app.ts';
import { openKeyring } from '../keys/change.ts';
import type { Keyring } from '../keys/ring.ts';
import { insertTiles, lockLog, logLeaf, readEdge } from '../log/edge.ts';
import { newestHead, signPresentHead } from '../log/heads.ts';
import { inTransaction } from '../queryable.ts';
import { insertClosed, signClosing } from './closed-logs.ts';
import { type Inspected, type Inspection, inspectHistory, isAffected } from './inspect.ts';

/** Reports what is missing. The only writes bring the copies of the key history and of earlier closings up to date. */
export async function inspectLoss(app: LedgerApp): Promise<Inspection> {
  const ring = await openKeyring(app, serviceName(app.config.publicUrl));
  return inTransaction(app, async (db) => {
    await lockLog(db);
    return inspectHistory(app, db, ring);
  });
}

export interface AcceptedClosing {
  closing: LogClosing;
  /** Whether the closed log can still be read up to its last head. */
  isWhole: boolean;
}

/** Returns null if nothing is missing. */
export async function acceptLoss(app: LedgerApp, reason: string): Promise<AcceptedClosing | null> {
  if (reason.trim() === '') throw validationError([{ path: 'reason', message: 'is required' }]);
  const ring = await openKeyring(app, serviceName(app.config.publicUrl));
  const accepted = await inTransaction(app, async (db) => {
    await lockLog(db);
    const inspection = await inspectHistory(app, db, ring);
    return isAffected(inspection) ? close(app, db, ring, inspection, reason) : null;
  });
  if (accepted) await app.checkpointFile.refresh();
  return accepted;
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
  const { signedSize, presentSize } = log;
  const closing: LogClosing = {
    at: at.toISOString(),
    closed: { origin: log.origin, signedSize, presentSize, head },
    successor: successorOf(log.origin),
    chains: affected.map(({ origin: chain, signedSize: signed, presentSize: present }) => ({
      chain,
      signedSize: signed,
      presentSize: present,
    })),
    reason,
  };
  const statement = await signClosing(closing, ring);
  await appendJournal(db, lossEntries(closing, logOrigin(app.config.publicUrl)), at);
  await insertClosed(db, logs.number, statement);
  await db.query('DELETE FROM history_state');
  await db.query('UPDATE signing_state SET refused = NULL, at = now()');
  // Written last and made durable before the commit, so the database never has a statement that the file lacks.
  await app.checkpointFile.append([{ closed: statement, createdAt: at }]);
  return { closing, isWhole };
}

/** One entry per chain on its center's journal, and one for the log on the platform's journal. */
function lossEntries({ closed, successor, chains, reason }: LogClosing, fallback: string): JournalEntry[] {
  const entry = (
    centerId: number | null,
    loss: Omit<Inspected, 'fault'>,
    more: Record<string, string> = {},
  ) =>
    authoredEntry(centerId, 'loss', {
      author: { kind: 'system' },
      content: {
        kind: 'loss',
        chain: loss.origin,
        signedSize: loss.signedSize,
        presentSize: loss.presentSize,
        reason,
        ...more,
      },
    });
  const { origin = fallback, head, ...sizes } = closed;
  return [
    entry(null, { origin, ...sizes }, { successor, ...(head !== null && { head }) }),
    ...chains.map(({ chain, ...loss }) =>
      entry(parseOrigin(chain)?.chain?.center || null, { origin: chain, ...loss }),
    ),
  ];
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
