// Where keys are kept: the public history and the encrypted private keys, each in DATA_DIR and in the database.
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PoolClient, Queryable } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { inTransaction, type LedgerApp } from '../ledger-app.ts';
import { SigningRefused } from '../notes/faults.ts';

/** The public key history: see key-history.ts of the proof kit. */
export const historyPath = (dataDir: string) => join(dataDir, 'signing-keys.log');
/** The encrypted private keys. The database has a second copy, so losing one of them loses no key. */
export const sealedPath = (dataDir: string) => join(dataDir, 'signing-keys.sealed');

export interface SealedKey {
  /** The 32 bytes in base64. */
  publicKey: string;
  sealed: string;
}

/** The complete lines of a file; none if it does not exist. A partial last line left by a crash is ignored. */
export async function readLines(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').slice(0, -1).filter(Boolean);
}

/** Durable once this resolves. */
async function appendLines(path: string, lines: string[], mode: number): Promise<void> {
  if (lines.length === 0) return;
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'a+', mode);
  try {
    const text = await file.readFile('utf8');
    const whole = text.lastIndexOf('\n') + 1;
    // Start a new line first if a crash left a partial one.
    if (whole < text.length) await file.truncate(Buffer.byteLength(text.slice(0, whole)));
    await file.write(lines.map((line) => `${line}\n`).join(''));
    await file.sync();
  } finally {
    await file.close();
  }
}

export async function readSealed(dataDir: string): Promise<SealedKey[]> {
  return (await readLines(sealedPath(dataDir))).flatMap((line) => {
    try {
      return [JSON.parse(line) as SealedKey];
    } catch {
      return [];
    }
  });
}

export const appendSealed = (dataDir: string, keys: SealedKey[]): Promise<void> =>
  appendLines(
    sealedPath(dataDir),
    keys.map((key) => JSON.stringify(key)),
    0o600,
  );

export const appendHistory = (dataDir: string, lines: string[]): Promise<void> =>
  appendLines(historyPath(dataDir), lines, 0o644);

/** The merged lines of both copies of the history. */
interface HistoryLines {
  lines: string[];
  /** The lines that the file lacks, and how many the database lacks. */
  missing: { fromFile: string[]; fromDatabase: number };
}

/** The merged key data of the file and the database. */
export interface StoredKeys extends HistoryLines {
  sealed: SealedKey[];
  missing: HistoryLines['missing'] & { sealed: SealedKey[] };
}

/** "cssigner" in ASCII. */
const LOCK = BigInt('0x63737369676e6572').toString();

/** Serializes key changes across all machines. Released at the end of the transaction. */
export function withKeyLock<T>(app: LedgerApp, work: (db: PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(app, async (db) => {
    await db.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    return work(db);
  });
}

/**
 * Merges both copies of the history. The file outside the database is authoritative: lines from the database are accepted only
 * if a key already in the history signed them, so no one can introduce a key through the database. A machine without a file
 * adopts the database's lines. Throws SigningRefused if the copies contradict each other.
 */
export async function readHistoryLines(dataDir: string, db: Queryable): Promise<HistoryLines> {
  const filed = await readLines(historyPath(dataDir));
  const rows = await historyRows(db);
  for (let i = 0; i < Math.min(filed.length, rows.length); i++) {
    if (filed[i] !== rows[i])
      throw new SigningRefused(
        `the key history in DATA_DIR and the one in the database part at line ${i + 1}`,
      );
  }
  const fromDatabase = rows.slice(filed.length);
  if (filed.length > 0 && fromDatabase.some(replacesLostKey))
    throw new SigningRefused(
      'the database has a replaced key that is missing from the key history in DATA_DIR',
    );
  const missing = { fromFile: fromDatabase, fromDatabase: Math.max(0, filed.length - rows.length) };
  return { lines: [...filed, ...fromDatabase], missing };
}

export async function readStoredKeys(app: LedgerApp, db: Queryable): Promise<StoredKeys> {
  const { dataDir } = app.config;
  const { lines, missing } = await readHistoryLines(dataDir, db);
  const sealedHere = await readSealed(dataDir);
  const sealedThere = await SEALED_KEYS.rows(db, {});
  const known = new Set(sealedHere.map(({ publicKey }) => publicKey));
  return {
    lines,
    sealed: [...sealedThere, ...sealedHere],
    missing: { ...missing, sealed: sealedThere.filter(({ publicKey }) => !known.has(publicKey)) },
  };
}

/** Adds to each copy what it lacks. The caller must hold the lock. */
export async function completeStoredKeys(app: LedgerApp, db: Queryable): Promise<StoredKeys> {
  const stored = await readStoredKeys(app, db);
  const { lines, missing } = stored;
  await appendSealed(app.config.dataDir, missing.sealed);
  await appendHistory(app.config.dataDir, missing.fromFile);
  if (missing.fromDatabase > 0) await insertHistory(db, lines, lines.length - missing.fromDatabase);
  return stored;
}

export function isComplete({ missing }: StoredKeys): boolean {
  return missing.fromFile.length === 0 && missing.fromDatabase === 0 && missing.sealed.length === 0;
}

/** Malformed lines are detected when the history is read. */
function replacesLostKey(line: string): boolean {
  try {
    return (JSON.parse(line) as { signedBy?: unknown } | null)?.signedBy === null;
  } catch {
    return false;
  }
}

const KEY_LINES = sql('signing_key_lines', {
  line: 'text',
})`SELECT line FROM signing_key_line ORDER BY position`;

async function historyRows(db: Queryable): Promise<string[]> {
  const rows = await KEY_LINES.rows(db, {});
  return rows.map(({ line }) => line);
}

export async function insertHistory(db: Queryable, lines: string[], from: number): Promise<void> {
  await db.query(
    `INSERT INTO signing_key_line (position, line)
     SELECT n - 1, line FROM unnest($1::text[]) WITH ORDINALITY AS l(line, n) WHERE n > $2
     ON CONFLICT (position) DO NOTHING`,
    [lines, from],
  );
}

const SEALED_KEYS = sql('sealed_keys', { publicKey: 'text', sealed: 'text' })`
  SELECT public_key AS "publicKey", private_key AS sealed FROM signing_key ORDER BY created_at DESC, id`;

/** Checkpoints reference the key that signed them by this row. */
export async function insertKey(
  db: Queryable,
  key: { id: string; name: string; publicKey: string; sealed: string },
): Promise<void> {
  await db.query(
    `INSERT INTO signing_key (id, name, public_key, private_key) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO NOTHING`,
    [key.id, key.name, key.publicKey, key.sealed],
  );
}

const HAS_SIGNED = sql('has_signed', { signed: 'boolean' })`
  SELECT EXISTS (SELECT FROM checkpoint) OR EXISTS (SELECT FROM log_head) AS signed`;

/** Whether anything was ever signed here. If so, a key history must exist. */
export async function hasSigned(db: Queryable): Promise<boolean> {
  const [state] = await HAS_SIGNED.rows(db, {});
  return state!.signed;
}
