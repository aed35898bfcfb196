import type { Waiting } from './queue.ts';
import { sealBatch } from './seal-batch.ts';
import type { Chain } from './seal-kind.ts';
import type { SealResources } from './seal-resources.ts';
import { sealingTransaction } from './seal-transaction.ts';
import { SealUnavailable } from './seal-unavailable.ts';

/** Carries out a batch of any requests of one chain, waiting for its head, and tells every caller. Never throws. */
export async function sealAlone(resources: SealResources, chain: Chain, batch: Waiting[]): Promise<void> {
  try {
    const items = batch.map(({ item }) => item);
    const outcomes = await sealingTransaction(resources.db.pool, (client) =>
      sealBatch(resources, client, chain, items, new Date()),
    );
    resources.metrics.sealBatch.observe(batch.length);
    batch.forEach((waiting, i) => {
      const outcome = outcomes[i]!;
      if (outcome instanceof Error) waiting.reject(outcome);
      else waiting.resolve(outcome);
    });
  } catch (error) {
    // One request may have poisoned the transaction of all: halved often enough, only that one fails. Errors that would
    // meet each of them again are not tried again.
    if (batch.length > 1 && !(error instanceof SealUnavailable)) {
      const half = Math.ceil(batch.length / 2);
      await sealAlone(resources, chain, batch.slice(0, half));
      await sealAlone(resources, chain, batch.slice(half));
    } else {
      for (const waiting of batch) waiting.reject(error);
    }
  }
}
