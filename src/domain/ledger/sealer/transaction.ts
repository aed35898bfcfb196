import type { Pool, PoolClient } from '../../../db/database.ts';
import { beginDeclared } from '../../../db/declared.ts';
import { isDatabaseError, isOutOfReach, isSerializationFailure, isUnavailable } from '../../../db/faults.ts';
import type { Statement } from '../../../db/sql.ts';
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

/** What came of the work, and what it leaves to be written. */
export interface Prepared<T> {
  result: T;
  writes: Statement[];
}

/**
 * Runs the work in a transaction on the rows of some centers; a deadlock or a lost race has a good chance to go away by
 * itself. The connection pipelines: BEGIN goes out with the first statement of the work, and COMMIT with the writes.
 */
export async function sealingTransaction<T>(
  pool: Pool,
  centers: number[],
  work: (client: PoolClient) => Promise<Prepared<T>>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(pool, `${beginDeclared(centers)}; ${LIMITS}`, work);
    } catch (error) {
      if (attempt === ATTEMPTS || !isSerializationFailure(error)) throw typed(error);
    }
  }
}

async function once<T>(
  pool: Pool,
  begin: string,
  work: (client: PoolClient) => Promise<Prepared<T>>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new SealUnavailable(error);
  });
  let broken = false;
  try {
    const [, { result, writes }] = await Promise.all([client.query(begin), work(client)]);
    await commit(client, writes);
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

/** Where a write is refused, the COMMIT behind it ends the transaction without having changed anything. */
async function commit(client: PoolClient, writes: Statement[]): Promise<void> {
  const sent = await Promise.allSettled([...writes, 'COMMIT'].map((statement) => client.query(statement)));
  const failed = sent.find((each) => each.status === 'rejected');
  if (!failed) return;
  const error: unknown = failed.reason;
  throw isDatabaseError(error) && !isOutOfReach(error) ? error : new SealUnavailable(error, true);
}

/** Whether an error says that the database is away or busy, and not that something about the work is wrong. */
export function typed(error: unknown): unknown {
  return isUnavailable(error) && !(error instanceof DomainError) ? new SealUnavailable(error) : error;
}
