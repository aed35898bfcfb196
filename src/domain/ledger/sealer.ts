import type { PoolClient } from '../../db/database.ts';
import { isDatabaseError, isOutOfReach, isSerializationFailure, isTimeout } from '../../db/faults.ts';
import { DomainError } from '../../lib/errors.ts';
import type { App } from '../app.ts';
import { type AnyItem, type Chain, type Outcome, sealBatch } from './seal-batch.ts';
import type { SealItem, SealOutcome } from './seal-kind.ts';

/**
 * Group commit for hash chains. Callers of one chain that wait together share one transaction; chains do not wait for
 * each other; other processes append to the same chain through the same locked head row.
 */
export interface Sealer {
  /**
   * Resolves once committed. Rejects with the error its kind gave for this request, or with SealUnavailable when the
   * chain could not be written to just now.
   */
  seal<Request, Result>(item: SealItem<Request, Result>): Promise<SealOutcome<Result>>;
  /** Takes no more and waits for what is under way. */
  close(): Promise<void>;
}

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

const MAX_BATCH = 256;
/** How long a batch waits for the head of its chain, and how long any of its statements may run. */
const LOCK_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const BEGIN = `BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`;

interface Waiting {
  item: AnyItem;
  resolve(outcome: Exclude<Outcome, Error>): void;
  reject(error: unknown): void;
}

interface Queue {
  chain: Chain;
  waiting: Waiting[];
}

type Resources = Pick<App, 'db' | 'bus' | 'metrics' | 'config'>;

export function makeSealer(app: Resources): Sealer {
  /** Chains with somebody waiting or a batch under way; one batch a chain at a time. */
  const queues = new Map<string, Queue>();
  /** Chains whose turn has not come, because enough batches run already. */
  const ready: string[] = [];
  // Half of the connections stay with everything else.
  const mostRunning = Math.max(1, Math.floor(app.config.databasePool / 2));
  let running = 0;
  let closing = false;
  let idle = Promise.withResolvers<void>();
  idle.resolve();

  function startNext() {
    while (running < mostRunning && ready.length > 0) {
      const key = ready.shift()!;
      running++;
      void runChain(key).finally(() => {
        running--;
        if (queues.size === 0) idle.resolve();
        startNext();
      });
    }
  }

  /** One batch; then the chain goes to the back of the line if more came in meanwhile. */
  async function runChain(key: string) {
    const queue = queues.get(key)!;
    const batch = queue.waiting.splice(0, MAX_BATCH);
    await settle(app, queue.chain, batch);
    if (queue.waiting.length > 0) ready.push(key);
    else queues.delete(key);
  }

  return {
    seal(item) {
      if (closing) return Promise.reject(new SealUnavailable(new Error('closing')));
      const { centerId, domain } = item;
      const key = `${centerId}:${domain}`;
      const { promise, resolve, reject } = Promise.withResolvers<Exclude<Outcome, Error>>();
      let queue = queues.get(key);
      if (!queue) {
        if (queues.size === 0) idle = Promise.withResolvers();
        queue = { chain: { centerId, domain }, waiting: [] };
        queues.set(key, queue);
        ready.push(key);
        // Whoever calls in the same turn of the event loop still joins the first batch.
        setImmediate(startNext);
      }
      queue.waiting.push({ item: item as unknown as AnyItem, resolve, reject });
      return promise as Promise<SealOutcome<never>>;
    },
    async close() {
      closing = true;
      await idle.promise;
    },
  };
}

const ATTEMPTS = 3;

/** A deadlock or a lost race has a good chance to go away by itself. */
async function withRetries<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !isSerializationFailure(error)) throw error;
    }
  }
}

/** Carries a batch out and tells every caller. Never throws. */
async function settle(app: Resources, chain: Chain, batch: Waiting[]): Promise<void> {
  try {
    const outcomes = await withRetries(() => inTransaction(app, chain, batch));
    app.metrics.sealBatch.observe(batch.length);
    batch.forEach((waiting, i) => {
      const outcome = outcomes[i]!;
      if (outcome instanceof Error) waiting.reject(outcome);
      else waiting.resolve(outcome);
    });
  } catch (error) {
    // One request may have poisoned the transaction of all: apart, only that one fails. Errors that would meet each
    // of them again are not tried again.
    if (batch.length > 1 && !(error instanceof SealUnavailable)) {
      for (const waiting of batch) await settle(app, chain, [waiting]);
    } else {
      for (const waiting of batch) waiting.reject(error);
    }
  }
}

async function inTransaction(app: Resources, chain: Chain, batch: Waiting[]): Promise<Outcome[]> {
  const client = await app.db.pool.connect().catch((error: unknown) => {
    throw new SealUnavailable(error);
  });
  let broken = false;
  try {
    await client.query(BEGIN);
    const items = batch.map(({ item }) => item);
    const outcomes = await sealBatch(app, client, chain, items, new Date());
    await commit(client);
    return outcomes;
  } catch (error) {
    broken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    throw typed(error);
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

function typed(error: unknown): unknown {
  const passing = isOutOfReach(error) || isTimeout(error) || isSerializationFailure(error);
  return passing && !(error instanceof DomainError) ? new SealUnavailable(error) : error;
}
