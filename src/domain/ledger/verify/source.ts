import { chainOrigin } from '@countersign/proof-kit';
import type { Pool, Queryable } from '../../../db/database.ts';
import { beginDeclared } from '../../../db/declared.ts';
import { makeSemaphore, type Semaphore } from '../../../lib/semaphore.ts';
import type { CheckpointFile } from '../checkpoints/file.ts';
import { readKeyring } from '../checkpoints/keys/ring.ts';
import type { VerifyingRing } from '../checkpoints/signatures.ts';
import type { LedgerApp } from '../ledger-app.ts';

/** Where a verification reads from: a running service and the command have one each, and everything else in common. */
export interface LedgerSource {
  /** Whether PostgreSQL computes the hashes of records: faster, but its administrator can falsify the result. */
  hashesInDatabase: boolean;
  /** On whichever connection is free: for rows that never change. */
  db: Queryable;
  /** However many verifications are under way, most connections stay with everything else. */
  atOnce: Semaphore;
  /** Several statements on one state of the database: for rows that change while they are compared. */
  snapshot<T>(work: (db: Queryable) => Promise<T>): Promise<T>;
  /** What was signed, in the file outside the database. */
  file: CheckpointFile;
  /** The keys whose signatures count. */
  ring(): Promise<VerifyingRing>;
  /** The name that a chain has, or would have. */
  originOf(centerId: number | null, domain: string): string;
}

const sources = new WeakMap<Pool, LedgerSource>();

export function sourceOf(app: LedgerApp): LedgerSource {
  return sourceIn(app, app.db.pool);
}

/** The same on the replica. What is not valid there must be verified on the primary: the file may be ahead of a replica. */
export function replicaSourceOf(app: LedgerApp): LedgerSource | null {
  return app.db.replica && sourceIn(app, app.db.replica.pool);
}

function sourceIn(app: LedgerApp, pool: Pool): LedgerSource {
  const known = sources.get(pool);
  if (known) return known;
  const share = Math.max(2, Math.floor(pool.options.max / 4));
  // Each holds a connection until it is done, so fewer of them.
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

/** Functions, operators and tables are PostgreSQL's and our own, whatever a role or database has in its search path. */
export const SEARCH_PATH = 'pg_catalog, public';

/** A transaction that changes nothing and sees the same rows from its first statement to its last. */
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
