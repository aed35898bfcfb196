import { markCarriedOut } from '../idempotency/claim.ts';
import { appendDpus } from './append.ts';
import type { AnyItem, Queue, Waiting } from './queue.ts';
import type { Draft } from './seal-kind.ts';
import type { SealResources } from './seal-resources.ts';
import { sealingTransaction } from './seal-transaction.ts';
import { SealUnavailable } from './seal-unavailable.ts';

/** Callers of one chain, taken from its queue, who are served together with those of other chains. */
export interface Portion {
  queue: Queue;
  batch: Waiting[];
}

/** The draft of a request that is nothing but its record: only those are sealed together. */
export function bareDraft({ kind, request }: AnyItem): Draft<unknown> | undefined {
  return kind.bare?.(request);
}

/**
 * Writes bare records of many chains in one transaction. It never waits for a head, so a chain that somebody holds does
 * not hold up the others. Tells everybody whom it served, and answers with the portions that must go alone: those whose
 * head was held, or all of them if something spoiled the transaction.
 */
export async function sealTogether(
  { db, metrics }: Pick<SealResources, 'db' | 'metrics'>,
  portions: Portion[],
): Promise<Portion[]> {
  const at = new Date();
  const chains = portions.map(({ queue, batch }) => ({
    chain: queue.chain,
    links: batch.map(({ item }) => bareDraft(item)!),
  }));
  try {
    const places = await sealingTransaction(db.pool, async (client) => {
      const written = await appendDpus(client, chains, at, 'skip');
      const done = portions.filter((_, i) => written[i]).flatMap(({ batch }) => batch);
      await markCarriedOut(
        client,
        done.map(({ item }) => item.idempotency),
        at,
      );
      return written;
    });
    metrics.sealBatch.observe(places.flat().filter((place) => place !== null).length);
    portions.forEach(({ queue, batch }, i) => {
      const placed = places[i];
      if (!placed) return;
      metrics.seals.inc({ domain: queue.chain.domain }, placed.length);
      batch.forEach(({ resolve }, n) => {
        resolve({ place: placed[n]!, result: chains[i]!.links[n]!.result });
      });
    });
    return portions.filter((_, i) => !places[i]);
  } catch (error) {
    if (!(error instanceof SealUnavailable)) return portions;
    for (const { batch } of portions) for (const { reject } of batch) reject(error);
    return [];
  }
}
