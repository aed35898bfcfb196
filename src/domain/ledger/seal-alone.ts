import type { App } from '../app.ts';
import type { Waiting } from './queue.ts';
import { sealBatch } from './seal-batch.ts';
import type { Chain } from './seal-kind.ts';
import { sealingTransaction } from './seal-transaction.ts';
import { SealUnavailable } from './seal-unavailable.ts';

/** Carries out a batch of any requests of one chain, waiting for its head, and tells every caller. Never throws. */
export async function sealAlone(
  app: Pick<App, 'db' | 'bus' | 'metrics'>,
  chain: Chain,
  batch: Waiting[],
): Promise<void> {
  try {
    const items = batch.map(({ item }) => item);
    const outcomes = await sealingTransaction(app.db.pool, (client) =>
      sealBatch(app, client, chain, items, new Date()),
    );
    app.metrics.sealBatch.observe(batch.length);
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
      await sealAlone(app, chain, batch.slice(0, half));
      await sealAlone(app, chain, batch.slice(half));
    } else {
      for (const waiting of batch) waiting.reject(error);
    }
  }
}
