import type { Pool, PoolClient } from '../../../db/database.ts';
import { beginDeclared } from '../../../db/declared.ts';
import { isDatabaseError, isOutOfReach, isSerializationFailure, isUnavailable } from '../../../db/faults.ts';
import { DomainError } from '../../../lib/errors.ts';

/** The chain cannot be written to at the moment. Unless `unknown`, nothing was written; a repeat may work. */
export class SealUnavailable extends DomainError {
  /** The connection broke while committing: the records may or may not be there. */
  readonly unknown: boolean;

  constructor(cause: unknown, unknown = false) {
    super('SERVICE_UNAVAILABLE', 'The ledger cannot be written to just now; try again.', {
      retryAfter: 1,
      cause,
    });
    this.name = 'SealUnavailable';
    this.unknown = unknown;
  }
}

/** How long a batch waits for the head of its chain, and how long any of its statements may run. */
const LOCK_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const LIMITS = `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`;
const ATTEMPTS = 3;

/** Runs the work in a transaction on the rows of some centers; a deadlock or a lost race has a good chance to go away by itself. */
export async function sealingTransaction<T>(
  pool: Pool,
  centers: number[],
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(pool, `${beginDeclared(centers)}; ${LIMITS}`, work);
    } catch (error) {
      if (attempt === ATTEMPTS || !isSerializationFailure(error)) throw typed(error);
    }
  }
}

async function once<T>(pool: Pool, begin: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new SealUnavailable(error);
  });
  let broken = false;
  try {
    await client.query(begin);
    const result = await work(client);
    await commit(client);
    return result;
  } catch (error) {
    broken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    client.release(broken);
  }
}

async function commit(client: PoolClient): Promise<void> {
  try {
    await client.query('COMMIT');
  } catch (error) {
    throw isDatabaseError(error) && !isOutOfReach(error) ? error : new SealUnavailable(error, true);
  }
}

/** Whether an error says that the database is away or busy, and not that something about the work is wrong. */
export function typed(error: unknown): unknown {
  return isUnavailable(error) && !(error instanceof DomainError) ? new SealUnavailable(error) : error;
}
