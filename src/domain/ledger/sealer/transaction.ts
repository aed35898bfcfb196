import { beginDeclared } from '../../../db/centers.ts';
import type { Pool, PoolClient } from '../../../db/database.ts';
import {
  isDatabaseDown,
  isDatabaseError,
  isSerializationFailure,
  isUnavailable,
} from '../../../db/faults.ts';
import { type Statement, sql, type Transaction } from '../../../db/sql.ts';
import { DomainError } from '../../../lib/errors.ts';

/** The chain cannot be written to at the moment. Unless `unknown` is set, nothing was written and a retry may succeed. */
export class SealUnavailable extends DomainError {
  /** The connection broke during the commit: the records may or may not have been written. */
  readonly unknown: boolean;

  constructor(cause: unknown, unknown = false, fault: SealFault = TEMPORARILY_UNAVAILABLE) {
    const { message, ...options } = fault;
    super('SERVICE_UNAVAILABLE', message, { ...options, cause });
    this.name = 'SealUnavailable';
    this.unknown = unknown;
  }
}

interface SealFault {
  message: string;
  retryAfter: number;
  details?: Record<string, unknown>;
}

const TEMPORARILY_UNAVAILABLE: SealFault = {
  message: 'The ledger is temporarily unavailable; try again.',
  retryAfter: 1,
};

/** Signed history is missing from the database. Nothing is sealed until an administrator accepts the loss. */
class HistoryLostUnavailable extends SealUnavailable {
  constructor(cause?: unknown) {
    super(cause, false, {
      message:
        'Signed history is missing from the database; nothing can be sealed until the operator resolves it.',
      retryAfter: 60,
      details: { reason: 'history_lost' },
    });
  }
}

/** The SQLSTATE raised by `require_history()` (migration history_lost). */
const HISTORY_LOST = 'CS001';

const IS_HISTORY_LOST = sql('is_history_lost', { lost: 'boolean' })`
  SELECT EXISTS (SELECT FROM history_state WHERE kind = 'lost') AS lost`;

/** For units of work that seal a record: throws while signed history is missing. */
export async function requireHistory(tx: Transaction): Promise<void> {
  const [row] = await IS_HISTORY_LOST.rows(tx, {});
  if (row!.lost) throw new HistoryLostUnavailable();
}

/** How long a batch waits for a chain head, and how long each of its statements may run. */
const LOCK_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const LIMITS = `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`;
const ATTEMPTS = 3;

/** The result of the work, and the statements still to run. */
export interface Prepared<T> {
  result: T;
  writes: Statement[];
}

interface SealingOptions {
  /** Fails while signed history is missing. */
  seals: boolean;
  /** Called when the writes and COMMIT have been sent. */
  sent?: () => void;
}

/**
 * Runs the work in a transaction on the rows of the given centers, and retries deadlocks and serialization failures. Statements
 * are pipelined: BEGIN is sent with the first statement of the work, COMMIT with the writes.
 */
export async function sealingTransaction<T>(
  pool: Pool,
  centers: number[],
  work: (client: PoolClient) => Promise<Prepared<T>>,
  options: SealingOptions = { seals: false },
): Promise<T> {
  const begin = [beginDeclared(centers), LIMITS, ...(options.seals ? ['SELECT require_history()'] : [])];
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(pool, begin.join('; '), work, options.sent);
    } catch (error) {
      if (attempt === ATTEMPTS || !isSerializationFailure(error)) throw typed(error);
    }
  }
}

async function once<T>(
  pool: Pool,
  begin: string,
  work: (client: PoolClient) => Promise<Prepared<T>>,
  sent?: () => void,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new SealUnavailable(error);
  });
  let broken = false;
  try {
    const [, { result, writes }] = await Promise.all([client.query(begin), work(client)]);
    const committed = commit(client, writes);
    sent?.();
    await committed;
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

/** If a write fails, the COMMIT sent after it rolls the transaction back. */
async function commit(client: PoolClient, writes: Statement[]): Promise<void> {
  const sent = await Promise.allSettled([...writes, 'COMMIT'].map((statement) => client.query(statement)));
  const failed = sent.find((each) => each.status === 'rejected');
  if (!failed) return;
  const error: unknown = failed.reason;
  throw isDatabaseError(error) && !isDatabaseDown(error) ? error : new SealUnavailable(error, true);
}

/** Converts errors that mean the database is unreachable or busy to SealUnavailable; returns other errors unchanged. */
export function typed(error: unknown): unknown {
  if ((error as { code?: unknown }).code === HISTORY_LOST) return new HistoryLostUnavailable(error);
  return isUnavailable(error) && !(error instanceof DomainError) ? new SealUnavailable(error) : error;
}
