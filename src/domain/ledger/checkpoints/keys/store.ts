import type { PoolClient } from '../../../../db/database.ts';
import type { LedgerApp } from '../../ledger-app.ts';
import { inTransaction, type Queryable } from '../queryable.ts';
import { appendHistory, appendSealed, historyPath, readLines, readSealed, type SealedKey } from './files.ts';
import { SigningRefused } from './refused.ts';

/** What the file and the database together know of the keys. */
export interface StoredKeys {
  lines: string[];
  sealed: SealedKey[];
  /** What one of the two has and the other lacks. */
  missing: { fromFile: string[]; fromDatabase: number; sealed: SealedKey[] };
}

/** "cssigner" in ASCII. */
const LOCK = BigInt('0x63737369676e6572').toString();

/** Serializes changes of the keys across all machines. Ends with the transaction. */
export function withKeyLock<T>(app: LedgerApp, work: (db: PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(app, async (db) => {
    await db.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    return work(db);
  });
}

/** What the two copies say. Throws SigningRefused where they contradict each other. */
interface HistoryLines {
  lines: string[];
  /** What only the database has, and how many lines only the file has. */
  fromDatabase: string[];
  fromFile: number;
}

/**
 * The history by both copies. The file outside the database is what counts: the database may add to it only what a key in it
 * has signed, so nobody brings in a key of his own by way of the database. A machine without a file takes over what the
 * database has.
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
      'the database tells of a replaced key that the key history in DATA_DIR does not know',
    );
  return {
    lines: [...filed, ...fromDatabase],
    fromDatabase,
    fromFile: Math.max(0, filed.length - rows.length),
  };
}

/** Reads both copies of the history and of the sealed keys. */
export async function readStoredKeys(app: LedgerApp, db: Queryable): Promise<StoredKeys> {
  const { dataDir } = app.config;
  const { lines, fromDatabase, fromFile } = await readHistoryLines(dataDir, db);
  const sealedHere = await readSealed(dataDir);
  const sealedThere = await sealedRows(db);
  const known = new Set(sealedHere.map(({ publicKey }) => publicKey));
  return {
    lines,
    sealed: [...sealedThere, ...sealedHere],
    missing: {
      fromFile: fromDatabase,
      fromDatabase: fromFile,
      sealed: sealedThere.filter(({ publicKey }) => !known.has(publicKey)),
    },
  };
}

/** Updates the copy that lacks something. The caller must hold the lock. */
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

/** What is no line of a history is found out when the history is read. */
function replacesLostKey(line: string): boolean {
  try {
    return (JSON.parse(line) as { signedBy?: unknown } | null)?.signedBy === null;
  } catch {
    return false;
  }
}

async function historyRows(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ line: string }>('SELECT line FROM signing_key_line ORDER BY position');
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

async function sealedRows(db: Queryable): Promise<SealedKey[]> {
  const { rows } = await db.query<SealedKey>(
    'SELECT public_key AS "publicKey", private_key AS sealed FROM signing_key ORDER BY created_at DESC, id',
  );
  return rows;
}

/** Checkpoints refer to the key that signed them by this row. */
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

/** Whether anything was ever signed here: then there must be a key history. */
export async function hasSigned(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ signed: boolean }>(
    'SELECT EXISTS (SELECT FROM checkpoint) OR EXISTS (SELECT FROM log_head) AS signed',
  );
  return rows[0]!.signed;
}
