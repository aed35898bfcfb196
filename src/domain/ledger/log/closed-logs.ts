// Logs that were closed after a loss. Each closing is a statement signed by a key of the service and stored both in DATA_DIR
// and in the database; neither can forge one.

import {
  formatClosing,
  keyNameFor,
  type LogClosing,
  logOrigin,
  type PublishedClosing,
  type SignedNote,
} from '@countersign/proof-kit';
import type { Queryable } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { type Keyring, signText } from '../keys/ring.ts';
import type { LedgerApp } from '../ledger-app.ts';
import { parseStoredClosing, type StoredClosing } from '../notes/closing.ts';
import { SigningRefused } from '../notes/faults.ts';
import { tryParse } from '../notes/signatures.ts';

interface ClosedLog extends StoredClosing {
  number: number;
  /** The stored text. */
  statement: string;
}

/** The log being signed now, and its predecessors. */
export interface Logs {
  number: number;
  origin: string;
  closed: ClosedLog[];
}

export async function signClosing(closing: LogClosing, ring: Keyring): Promise<PublishedClosing> {
  const { text, statement } = formatClosing(closing);
  return { note: await signText(text, ring.signersFor(closing.service)), statement };
}

/** Whether a key of the service signed the statement that closes a log of this origin. */
export function isSignedClosing(
  { text, signatures }: SignedNote,
  origin: string,
  ring: Pick<Keyring, 'verifier'>,
): boolean {
  return signatures.some(({ name, keyId, signature }) => {
    const verify = name === keyNameFor(origin) ? ring.verifier(origin, keyId) : undefined;
    return verify?.(Buffer.from(text), signature) ?? false;
  });
}

/** Cache of statements with verified signatures, by text. */
const checked = new WeakMap<LedgerApp, Set<string>>();

function requireGenuine(app: LedgerApp, statement: string, number: number, ring: Keyring): ClosedLog {
  const parsed = parseStoredClosing(statement);
  const known = checked.get(app) ?? new Set();
  checked.set(app, known);
  if (parsed && !known.has(statement) && isSignedClosing(parsed.note, parsed.origin, ring))
    known.add(statement);
  if (!parsed || !known.has(statement))
    throw new SigningRefused(
      `the statement that closed log ${number} is not signed by a key of this service`,
    );
  return { ...parsed, number, statement };
}

/**
 * Reads the logs from both copies of their statements and adds to each copy what it lacks. The caller must hold the log's
 * lock. Throws SigningRefused if the copies contradict each other or a statement is not genuine.
 */
export async function syncClosedLogs(app: LedgerApp, db: Queryable, ring: Keyring): Promise<Logs> {
  const stored = await storedStatements(db);
  const filed = app.checkpointFile.statements();
  const statements = stored.length > filed.length ? stored : [...filed];
  const parted = statements.findIndex(
    (text, i) => (stored[i] ?? text) !== text || (filed[i] ?? text) !== text,
  );
  if (parted >= 0)
    throw new SigningRefused(`the file and the database disagree about closed log ${parted + 1}`);
  const closed = statements.map((statement, i) => requireGenuine(app, statement, i + 1, ring));
  for (const { number, statement } of closed.slice(stored.length)) await insertClosed(db, number, statement);
  const missing = closed.slice(filed.length);
  if (missing.length > 0) {
    const createdAt = new Date();
    await app.checkpointFile.append(missing.map(({ statement }) => ({ closed: statement, createdAt })));
    await app.checkpointFile.refresh();
  }
  return logsOf(app, closed, await firstOrigin(db));
}

/** The same for readers, from the database only. Keys are needed only if a log was closed. */
export async function readLogs(
  app: LedgerApp,
  db: Queryable,
  openRing: () => Promise<Keyring>,
): Promise<Logs> {
  const statements = await storedStatements(db);
  if (statements.length === 0) return logsOf(app, [], await firstOrigin(db));
  const ring = await openRing();
  const closed = statements.map((statement, i) => requireGenuine(app, statement, i + 1, ring));
  return logsOf(app, closed, await firstOrigin(db));
}

function logsOf(app: LedgerApp, closed: ClosedLog[], first: string | null): Logs {
  const origin = closed.at(-1)?.successor ?? first ?? logOrigin(app.config.publicUrl);
  return { number: closed.length + 1, origin, closed };
}

export async function insertClosed(db: Queryable, number: number, statement: string): Promise<void> {
  await db.query('INSERT INTO closed_log (number, statement) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    number,
    statement,
  ]);
}

export const CLOSED_LOGS = sql('closed_logs', { statement: 'text' })`
  SELECT statement FROM closed_log ORDER BY number`;

async function storedStatements(db: Queryable): Promise<string[]> {
  const rows = await CLOSED_LOGS.rows(db, {});
  return rows.map(({ statement }) => statement);
}

const FIRST_LOG_NOTE = sql('first_log_note', { note: 'text' })`
  SELECT note FROM log_head WHERE log = 1 ORDER BY size DESC LIMIT 1`;

/** The name of the first log. A service that moves to another address keeps it. */
async function firstOrigin(db: Queryable): Promise<string | null> {
  const rows = await FIRST_LOG_NOTE.rows(db, {});
  return (rows[0] && tryParse(rows[0].note)?.origin) ?? null;
}
