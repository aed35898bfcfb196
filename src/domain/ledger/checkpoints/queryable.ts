import type { Declared, PoolClient } from '../../../db/database.ts';
import type { LedgerApp } from '../ledger-app.ts';

export type { Queryable } from '../../../db/database.ts';

/** Checkpoints and the head log are about the chains of all centers: their statements say so. */
export function everyChain(app: LedgerApp): Declared {
  return app.db.declared('acrossTenants');
}

/** Runs work in one transaction, which is also how long its locks last: safe behind a pooler that shares connections. */
export function inTransaction<T>(app: LedgerApp, work: (db: PoolClient) => Promise<T>): Promise<T> {
  return everyChain(app).transaction(work);
}
