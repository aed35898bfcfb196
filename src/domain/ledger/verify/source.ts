import { chainOrigin } from '@countersign/proof-kit';
import { beginDeclared } from '../../../db/centers.ts';
import type { Pool, Queryable } from '../../../db/database.ts';
import { makeSemaphore, type Semaphore } from '../../../lib/semaphore.ts';
import { readKeyring } from '../keys/ring.ts';
import type { LedgerApp } from '../ledger-app.ts';
import type { CheckpointFile } from '../notes/file.ts';
import type { VerifyingRing } from '../notes/signatures.ts';

/** Where a verification reads from. The running service and the command each have one and share everything else. */
export interface LedgerSource {
  /** Whether PostgreSQL computes the hashes of records. Faster, but a database administrator can falsify the result. */
  hashesInDatabase: boolean;
  /** Uses any free connection, for rows that never change. */
  db: Queryable;
  /** Limits concurrent verification queries, so that most connections stay available for other work. */
  atOnce: Semaphore;
  /** Runs several statements on one snapshot, for rows that may change while they are compared. */
  snapshot<T>(work: (db: Queryable) => Promise<T>): Promise<T>;
  /** The signed checkpoints in the file outside the database. */
  file: CheckpointFile;
  ring(): Promise<VerifyingRing>;
  /** The name that a chain has, or would have. */
  originOf(centerId: number | null, domain: string): string;
}

const sources = new WeakMap<Pool, LedgerSource>();

export function sourceOf(app: LedgerApp): LedgerSource {
  return sourceIn(app, app.db.pool);
}

/**
 * The same on the replica. Failures found there must be confirmed on the primary, because the file may be ahead of a replica.
 */
export function replicaSourceOf(app: LedgerApp): LedgerSource | null {
  return app.db.replica && sourceIn(app, app.db.replica.pool);
}

function sourceIn(app: LedgerApp, pool: Pool): LedgerSource {
  const known = sources.get(pool);
  if (known) return known;
  const share = Math.max(2, Math.floor(pool.options.max / 4));
  // Each snapshot holds a connection until it is done, so fewer are allowed.
  const snapshots = makeSemaphore(Math.max(1, Math.floor(share / 2)));
  const source: LedgerSource = {
    hashesInDatabase: true,
    db: { query: (statement, values) => inSnapshot(pool, (client) => client.query(statement, values)) },
    atOnce: makeSemaphore(share),
    snapshot: (work) => snapshots(() => inSnapshot(pool, work)),
    file: app.checkpointFile,
    ring: () => readKeyring(app),
    originOf: (centerId, domain) => chainOrigin(app.config.publicUrl, centerId, domain),
  };
  sources.set(pool, source);
  return source;
}

/**
 * Functions, operators and tables always resolve to PostgreSQL's and ours, regardless of a role's or database's search path.
 */
export const SEARCH_PATH = 'pg_catalog, public';

/** A read-only transaction with a single snapshot. */
export async function inSnapshot<T>(
  pool: Pick<Pool, 'connect'>,
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    const begin = beginDeclared('acrossTenants', 'ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(`${begin}; SET LOCAL search_path = ${SEARCH_PATH}`);
    return await work(client);
  } finally {
    await client.query('ROLLBACK').catch(() => (broken = true));
    client.release(broken);
  }
}
