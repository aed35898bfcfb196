import type { Declared, PoolClient } from '../../db/database.ts';
import type { LedgerApp } from './ledger-app.ts';

export type { Queryable } from '../../db/database.ts';

/** Checkpoints and the head log span the chains of all centers, and their statements declare it. */
export function acrossChains(app: LedgerApp): Declared {
  return app.db.declared('acrossTenants');
}

/** Runs work in one transaction. Locks also end with it, so this is safe behind a transaction-level connection pooler. */
export function inTransaction<T>(app: LedgerApp, work: (db: PoolClient) => Promise<T>): Promise<T> {
  return acrossChains(app).transaction(work);
}
