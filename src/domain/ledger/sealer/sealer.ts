import { type KeyedItems, makeGroupCommit } from '../../../lib/group-commit.ts';
import { traceParent } from '../../../lib/tracing.ts';
import { alreadyDone } from '../../idempotency/claim.ts';
import { type AnyItem, type AnyOutcome, announceBatch, type SealResources, sealBatch } from './batch.ts';
import type { SealItem, SealOutcome } from './kinds.ts';
import { SealUnavailable, sealingTransaction } from './transaction.ts';

/**
 * Group commit for hash chains. Concurrent callers share one transaction across centers; a center whose chains are locked by
 * another transaction gets a separate one. Other processes append to the same chains by locking the same head rows.
 */
export interface Sealer {
  /**
   * Resolves once committed. Rejects with the error that the kind returned for this request, or with SealUnavailable if the
   * chain cannot be written to at the moment.
   */
  seal<Request, Result>(item: SealItem<Request, Result>): Promise<SealOutcome<Result>>;
  /** Rejects new requests and waits for those in progress. */
  close(): Promise<void>;
}

const MOST_ITEMS = 256;

export function makeSealer(resources: SealResources, connections: number): Sealer {
  const { db, metrics } = resources;

  async function commit(portions: KeyedItems<AnyItem>[], wait: boolean, sent?: () => void) {
    const time = { at: new Date(), wait };
    const batch = await sealingTransaction(
      db.pool,
      portions.map(({ key }) => key),
      (client) => sealBatch(client, portions, time),
      { seals: true, ...(sent && { sent }) },
    );
    announceBatch(resources, batch);
    const served = portions.filter((_, i) => batch.outcomes[i] !== 'held');
    metrics.sealBatch.observe(served.reduce((sum, { items }) => sum + items.length, 0));
    return batch.outcomes;
  }

  const group = makeGroupCommit<AnyItem, AnyOutcome>({
    most: MOST_ITEMS,
    // With the two shared batches, half of the connections; the others are left for other work.
    alone: Math.max(1, Math.floor(connections / 2) - 2),
    commitTogether: (portions, sent) => commit(portions, false, sent),
    async commitAlone(portion) {
      const [outcomes] = await commit([portion], true);
      // With `wait`, the lock is either acquired or times out.
      if (outcomes === 'held') throw new SealUnavailable(new Error('held'));
      return outcomes!;
    },
    meetsAll: (error) => error instanceof SealUnavailable,
    closed: () => new SealUnavailable(new Error('closing')),
  });
  return {
    async seal<Request, Result>(item: SealItem<Request, Result>) {
      const done = alreadyDone(item.idempotency);
      const outcome =
        done?.result ??
        (await group.submit(item.centerId, { trace: traceParent(), ...(item as unknown as AnyItem) }));
      return outcome as SealOutcome<Result>;
    },
    close: () => group.close(),
  };
}
