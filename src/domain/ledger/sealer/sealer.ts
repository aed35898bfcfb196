import { makeGroupCommit } from '../../../lib/group-commit.ts';
import { type AnyItem, type AnyOutcome, type SealResources, sealBatch } from './batch.ts';
import type { SealItem, SealOutcome } from './kinds.ts';
import { SealUnavailable, sealingTransaction } from './transaction.ts';

/**
 * Group commit for hash chains. Callers that wait at the same time share one transaction, whatever their centers; a
 * center whose chains somebody else holds goes alone. Other processes append to the same chains through the same locked
 * head rows.
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

const MOST_ITEMS = 256;
/** While the database works at one shared batch, this process prepares the next. */
const MOST_TOGETHER = 2;

export function makeSealer(resources: SealResources, connections: number): Sealer {
  const { db, metrics } = resources;
  const group = makeGroupCommit<AnyItem, AnyOutcome>({
    most: MOST_ITEMS,
    together: MOST_TOGETHER,
    // Half of the connections stay with everything else.
    alone: Math.max(1, Math.floor(connections / 2) - MOST_TOGETHER),
    async commitTogether(portions) {
      const time = { at: new Date(), wait: false };
      const centers = portions.map(({ key }) => key);
      const outcomes = await sealingTransaction(db.pool, centers, (client) =>
        sealBatch(resources, client, portions, time),
      );
      const served = portions.filter((_, i) => outcomes[i] !== 'held');
      metrics.sealBatch.observe(served.reduce((sum, { items }) => sum + items.length, 0));
      return outcomes;
    },
    async commitAlone(portion) {
      const time = { at: new Date(), wait: true };
      const [outcomes] = await sealingTransaction(db.pool, [portion.key], (client) =>
        sealBatch(resources, client, [portion], time),
      );
      // Whoever waits gets it, or a timeout.
      if (outcomes === 'held') throw new SealUnavailable(new Error('held'));
      metrics.sealBatch.observe(portion.items.length);
      return outcomes!;
    },
    meetsAll: (error) => error instanceof SealUnavailable,
    closed: () => new SealUnavailable(new Error('closing')),
  });
  return {
    seal: (item) => group.submit(item.centerId, item as unknown as AnyItem) as Promise<SealOutcome<never>>,
    close: () => group.close(),
  };
}
