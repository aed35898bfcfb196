import { inTurn } from './turn-queue.ts';

/**
 * Group commit: callers that wait at the same time share one commit. Work is grouped by a key (a center): the items of one
 * key are committed in their order, and a key is part of one commit at a time. Keys share commits too; one that somebody
 * else holds leaves the shared commit and goes alone, where waiting for it holds up nobody.
 */
interface GroupCommit<Item, Outcome> {
  submit(key: number, item: Item): Promise<Outcome>;
  /** Takes no more and waits for what is under way. */
  close(): Promise<void>;
}

/** The items of one key, in their order. */
export interface Portion<Item> {
  key: number;
  items: Item[];
}

/** One for each item, in their order. An Error turns away its item alone. */
export type Outcomes<Outcome> = (Outcome | Error)[];

interface GroupCommitOptions<Item, Outcome> {
  /** Items in one commit. */
  most: number;
  /** Shared commits under way at once. */
  together: number;
  /** Keys that go alone at once. */
  alone: number;
  /** Commits the portions without waiting for anybody; 'held' sends a portion off to go alone. */
  commitTogether(portions: Portion<Item>[]): Promise<(Outcomes<Outcome> | 'held')[]>;
  /** Commits one portion, waiting for the holder of its key. */
  commitAlone(portion: Portion<Item>): Promise<Outcomes<Outcome>>;
  /** Whether an error would meet everybody again. Others may come from one item, which is then singled out. */
  meetsAll(error: unknown): boolean;
  /** What callers get once it is closing. */
  closed(): Error;
}

interface Waiting<Item, Outcome> {
  item: Item;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** Those who wait for one key. */
interface Queue<Item, Outcome> {
  key: number;
  waiting: Waiting<Item, Outcome>[];
  /** Whether it could not be committed together with others; then it goes alone until it is empty. */
  alone: boolean;
}

/** Queues whose turn has not come, because enough commits of their sort are under way. */
interface Turns<Item, Outcome> {
  ready: Queue<Item, Outcome>[];
  running: number;
  most: number;
}

interface Taken<Item, Outcome> {
  queue: Queue<Item, Outcome>;
  batch: Waiting<Item, Outcome>[];
}

export function makeGroupCommit<Item, Outcome>(
  options: GroupCommitOptions<Item, Outcome>,
): GroupCommit<Item, Outcome> {
  type Q = Queue<Item, Outcome>;
  type W = Waiting<Item, Outcome>;
  /** Keys with waiting items or a running commit. */
  const queues = new Map<number, Q>();
  const together: Turns<Item, Outcome> = { ready: [], running: 0, most: options.together };
  const alone: Turns<Item, Outcome> = { ready: [], running: 0, most: options.alone };
  let planned = false;
  /** Items in the last shared commit. */
  let last = 0;
  let closing = false;
  let idle = Promise.withResolvers<void>();
  idle.resolve();

  /** A key with waiting items is queued; one without is forgotten. */
  function lineUp(queue: Q) {
    if (queue.waiting.length === 0) queues.delete(queue.key);
    else (queue.alone ? alone : together).ready.push(queue);
  }

  const waitingTogether = () => together.ready.reduce((sum, { waiting }) => sum + waiting.length, 0);

  /** At the earliest after the requests that have already arrived, which may bring more items. */
  function plan() {
    if (!planned) inTurn(startNext);
    planned = true;
  }

  function startNext() {
    planned = false;
    while (alone.running < alone.most && alone.ready.length > 0) {
      const queue = alone.ready.shift()!;
      const batch = queue.waiting.splice(0, options.most);
      void run(alone, [queue], commitAlone(queue, batch));
    }
    while (together.running < together.most && together.ready.length > 0) {
      // Beside one that is under way only another of its kind: many small ones cost the database more than they save.
      if (together.running > 0 && waitingTogether() * 2 < last) break;
      const taken = take(together.ready, options.most);
      const keys = taken.map(({ queue }) => queue);
      last = taken.reduce((sum, { batch }) => sum + batch.length, 0);
      void run(together, keys, commitTogether(taken));
    }
  }

  async function run(turns: Turns<Item, Outcome>, taken: Q[], commit: Promise<() => void>) {
    turns.running++;
    const tell = await commit;
    turns.running--;
    for (const queue of taken) lineUp(queue);
    // Far fewer than last time: the requests that have already arrived go first, and one commit serves them all.
    if (waitingTogether() * 2 < last) plan();
    else startNext();
    // The next commit goes out first: the database works on it while the callers of this one are answered.
    setImmediate(() => {
      tell();
      if (queues.size === 0) idle.resolve();
    });
  }

  /** Never throws; gives what is left to do: telling the callers. */
  async function commitTogether(taken: Taken<Item, Outcome>[]): Promise<() => void> {
    const portions = taken.map(({ queue, batch }) => ({
      key: queue.key,
      items: batch.map(({ item }) => item),
    }));
    let results: (Outcomes<Outcome> | 'held')[];
    try {
      results = await options.commitTogether(portions);
    } catch (error) {
      if (options.meetsAll(error)) {
        return () => {
          for (const { batch } of taken) for (const { reject } of batch) reject(error);
        };
      }
      results = portions.map(() => 'held');
    }
    taken.forEach(({ queue, batch }, i) => {
      if (results[i] !== 'held') return;
      queue.alone = true;
      queue.waiting.unshift(...batch);
    });
    return () => {
      taken.forEach(({ batch }, i) => {
        const outcomes = results[i]!;
        if (outcomes !== 'held') settle(batch, outcomes);
      });
    };
  }

  async function commitAlone(queue: Q, batch: W[]): Promise<() => void> {
    try {
      const outcomes = await options.commitAlone({ key: queue.key, items: batch.map(({ item }) => item) });
      return () => settle(batch, outcomes);
    } catch (error) {
      // One item may have poisoned the transaction of all: halved often enough, only that one fails.
      if (batch.length === 1 || options.meetsAll(error)) {
        return () => {
          for (const { reject } of batch) reject(error);
        };
      }
      const half = Math.ceil(batch.length / 2);
      const first = await commitAlone(queue, batch.slice(0, half));
      const second = await commitAlone(queue, batch.slice(half));
      return () => {
        first();
        second();
      };
    }
  }

  return {
    submit(key, item) {
      if (closing) return Promise.reject(options.closed());
      return new Promise((resolve, reject) => {
        const waiting: W = { item, resolve, reject };
        const queue = queues.get(key);
        if (queue) {
          queue.waiting.push(waiting);
          return;
        }
        if (queues.size === 0) idle = Promise.withResolvers();
        const begun: Q = { key, waiting: [waiting], alone: false };
        queues.set(key, begun);
        lineUp(begun);
        plan();
      });
    },
    async close() {
      closing = true;
      await idle.promise;
    },
  };
}

function settle<Item, Outcome>(batch: Waiting<Item, Outcome>[], outcomes: Outcomes<Outcome>): void {
  batch.forEach(({ resolve, reject }, i) => {
    const outcome = outcomes[i]!;
    if (outcome instanceof Error) reject(outcome);
    else resolve(outcome);
  });
}

/** Whole portions from the front of the line, up to a full commit. */
function take<Item, Outcome>(ready: Queue<Item, Outcome>[], most: number): Taken<Item, Outcome>[] {
  const taken: Taken<Item, Outcome>[] = [];
  for (let room = most; room > 0 && ready.length > 0; ) {
    const queue = ready.shift()!;
    const batch = queue.waiting.splice(0, room);
    taken.push({ queue, batch });
    room -= batch.length;
  }
  return taken;
}
