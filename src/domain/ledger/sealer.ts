import type { AnyItem, Queue, Waiting } from './queue.ts';
import { sealAlone } from './seal-alone.ts';
import type { Chain, SealItem, SealOutcome } from './seal-kind.ts';
import type { SealResources } from './seal-resources.ts';
import { bareDraft, type Portion, sealTogether } from './seal-together.ts';
import { SealUnavailable } from './seal-unavailable.ts';

/**
 * Group commit for hash chains. Callers of one chain that wait together share one transaction; bare records share it
 * with those of other chains too. No chain waits for another's head, and other processes append to the same chains
 * through the same locked head rows.
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

const MAX_BATCH = 256;
/** While the database works at one shared batch, this process prepares the next. */
const MOST_TOGETHER = 2;

/** Chains whose turn has not come, because enough batches of their sort run already. */
interface Lane {
  ready: Queue[];
  running: number;
  most: number;
}

export function makeSealer(resources: SealResources, connections: number): Sealer {
  /** Chains with somebody waiting or a batch under way; a chain is in one batch at a time. */
  const queues = new Map<string, Queue>();
  const together: Lane = { ready: [], running: 0, most: MOST_TOGETHER };
  // Half of the connections stay with everything else.
  const mostAlone = Math.max(1, Math.floor(connections / 2) - MOST_TOGETHER);
  const alone: Lane = { ready: [], running: 0, most: mostAlone };
  let closing = false;
  let idle = Promise.withResolvers<void>();
  idle.resolve();

  /** A chain with somebody waiting gets in line; one with nobody is forgotten. */
  function lineUp(queue: Queue) {
    const [first] = queue.waiting;
    if (!first) queues.delete(keyOf(queue.chain));
    else if (queue.alone || !bareDraft(first.item)) alone.ready.push(queue);
    else together.ready.push(queue);
  }

  function startNext() {
    while (alone.running < alone.most && alone.ready.length > 0) {
      const queue = alone.ready.shift()!;
      const batch = queue.waiting.splice(0, MAX_BATCH);
      void run(alone, [queue], sealAlone(resources, queue.chain, batch));
    }
    while (together.running < together.most && together.ready.length > 0) {
      const portions = takePortions(together.ready);
      const taken = portions.map(({ queue }) => queue);
      void run(together, taken, sealTogether(resources, portions).then(putBack));
    }
  }

  async function run(lane: Lane, taken: Queue[], batch: Promise<void>) {
    lane.running++;
    await batch;
    lane.running--;
    for (const queue of taken) lineUp(queue);
    if (queues.size === 0) idle.resolve();
    startNext();
  }

  return {
    seal(item) {
      if (closing) return Promise.reject(new SealUnavailable(new Error('closing')));
      const { promise, resolve, reject } = Promise.withResolvers<SealOutcome<unknown>>();
      const waiting: Waiting = { item: item as unknown as AnyItem, resolve, reject };
      const key = keyOf(item);
      const queue = queues.get(key);
      if (queue) queue.waiting.push(waiting);
      else {
        if (queues.size === 0) idle = Promise.withResolvers();
        const { centerId, domain } = item;
        const begun: Queue = { chain: { centerId, domain }, waiting: [waiting], alone: false };
        queues.set(key, begun);
        lineUp(begun);
        // Whoever calls in the same turn of the event loop still joins the first batch.
        setImmediate(startNext);
      }
      return promise as Promise<SealOutcome<never>>;
    },
    async close() {
      closing = true;
      await idle.promise;
    },
  };
}

const keyOf = ({ centerId, domain }: Chain) => `${centerId}:${domain}`;

/** The bare requests at the front of the chains in line, up to a full batch. */
function takePortions(ready: Queue[]): Portion[] {
  const portions: Portion[] = [];
  for (let room = MAX_BATCH; room > 0 && ready.length > 0; ) {
    const queue = ready.shift()!;
    const end = queue.waiting.slice(0, room).findIndex(({ item }) => !bareDraft(item));
    const batch = queue.waiting.splice(0, end === -1 ? room : end);
    portions.push({ queue, batch });
    room -= batch.length;
  }
  return portions;
}

function putBack(portions: Portion[]): void {
  for (const { queue, batch } of portions) {
    queue.alone = true;
    queue.waiting.unshift(...batch);
  }
}
