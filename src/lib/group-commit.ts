// Group commit: concurrent callers share one commit, so that one flush of the database's log serves all of them.
//
// A caller submits an item under a key (a center) and waits for its outcome. Items of one key are committed in the
// order of submission, and a key is in at most one commit at a time. There are two kinds of commit:
//
//   shared   many keys in one commit. It must not wait for locks: a key that another process has locked comes back as 'held',
//            and the other keys are committed without it. A commit that tells when it has sent its last statements lets the next
//            one prepare while the database writes; so at most two run at a time.
//   alone    one key in one commit, which may wait for the lock on that key. Up to `alone` of them run beside the shared
//            commits, so a locked key delays no other key.
//
// States of a key. A key is in `queues` exactly while it has items that wait or are being committed:
//
//   (absent)      --submit-->  ready, shared
//   ready, shared --taken-->   in a shared commit, and after it:
//                                (absent)       if no items are left
//                                ready, shared  if items have arrived meanwhile
//                                ready, alone   if the key was held
//   ready, alone  --taken-->   in a commit of its own, and after it ready, alone again, until no items are left
//
// An item that is submitted while its key is in a commit waits in the queue of that key, and joins the ready list when that
// commit ends. A held key puts its items back at the front of its queue, so their order does not change.
//
// Who waits for whom:
// - The caller waits for the commit that contains its item, and before that for the commit its key is in.
// - A ready key waits for the shared commit that is running, or for one of the `alone` places.
// - The next shared commit waits for the running one only: until it ends or, if as many items wait as the larger of the last two
//   shared commits had, until it has sent its last statements. Fewer would make commits smaller, and each of them costs the
//   same few statements (docs/decisions/0031-overlapping-commits.md).
// - It starts before the callers of a finished one are answered, so the database works while this process builds responses.
// - A commit that would be less than half as large as the last shared one waits for a turn of the turn queue: the requests that
//   have already arrived add their items first. The first commit after an idle time waits in the same way.
// - `close` waits until every item has been answered; it accepts none in the meantime.
//
// Failures:
// - An outcome that is an Error rejects one caller. The rest of the commit stands.
// - A commit that throws has written nothing, or its fate is unknown; `meetsAll` decides what to do. If the error would meet
//   every item again (the database is unreachable), all callers of the commit get it and nothing is retried.
// - Any other error may come from a single item. A failed shared commit sends each of its keys to a commit alone. A failed
//   commit alone is split into halves, one after the other, until the item that fails is by itself.
//
// A crash. All of this is in memory. Items that wait are lost with the process, and nothing of them was written. Of a commit
// that was on its way, the database has everything or nothing. If it has everything, the callers never heard of it: they repeat
// their request, and the commit functions must recognize the repetition by its Idempotency-Key.
import { metered } from './row-meter.ts';
import { inTurn } from './turn-queue.ts';

interface GroupCommit<Item, Outcome> {
  submit(key: number, item: Item): Promise<Outcome>;
  /** Accepts no more items and waits for those in progress. */
  close(): Promise<void>;
}

/** The items of one key, in order. */
export interface KeyedItems<Item> {
  key: number;
  items: Item[];
}

/** One result per item, in order. An Error rejects only its item. */
export type Outcomes<Outcome> = (Outcome | Error)[];

interface GroupCommitOptions<Item, Outcome> {
  /** Items in one commit. */
  most: number;
  /** Keys committed alone at the same time. */
  alone: number;
  /**
   * Commits the portions without waiting for locks; 'held' means that the portion must be committed alone. It may call `sent`
   * when its last statements are on their way.
   */
  commitTogether(portions: KeyedItems<Item>[], sent: () => void): Promise<(Outcomes<Outcome> | 'held')[]>;
  /** Commits one portion, waiting for the lock on its key. */
  commitAlone(portion: KeyedItems<Item>): Promise<Outcomes<Outcome>>;
  /** Whether an error would fail every item again. Other errors may come from one item, which is then isolated. */
  meetsAll(error: unknown): boolean;
  closed(): Error;
}

interface Waiting<Item, Outcome> {
  item: Item;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

interface Queue<Item, Outcome> {
  key: number;
  waiting: Waiting<Item, Outcome>[];
  /** Whether it could not be committed with others; then it is committed alone until it is empty. */
  alone: boolean;
}

/** Queues that wait because enough commits of their kind are running. */
interface Turns<Item, Outcome> {
  ready: Queue<Item, Outcome>[];
  running: number;
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
  const together: Turns<Item, Outcome> = { ready: [], running: 0 };
  const alone: Turns<Item, Outcome> = { ready: [], running: 0 };
  let planned = false;
  /** What the shared commit contains that has not sent its last statements yet. */
  let preparing: Taken<Item, Outcome>[] | null = null;
  /** Items in the last shared commit, and in the one before it. */
  let last = 0;
  let beforeLast = 0;
  let closing = false;
  let idle = Promise.withResolvers<void>();
  idle.resolve();

  /** A key with waiting items is queued; an empty one is removed. */
  function lineUp(queue: Q) {
    if (queue.waiting.length === 0) queues.delete(queue.key);
    else (queue.alone ? alone : together).ready.push(queue);
  }

  const waitingTogether = () => together.ready.reduce((sum, { waiting }) => sum + waiting.length, 0);

  /** Runs after the requests that have already arrived, which may add items. */
  function plan() {
    if (!planned) inTurn(startNext);
    planned = true;
  }

  function startNext() {
    planned = false;
    while (alone.running < options.alone && alone.ready.length > 0) {
      const queue = alone.ready.shift()!;
      const batch = queue.waiting.splice(0, options.most);
      void run(alone, [queue], commitAlone(queue, batch));
    }
    if (canShare()) {
      const taken = take(together.ready, options.most);
      beforeLast = last;
      last = taken.reduce((sum, { batch }) => sum + batch.length, 0);
      void runShared(taken);
    }
  }

  /** Beside a running commit only a full one starts: several smaller ones cost more than they save. */
  function canShare(): boolean {
    if (together.ready.length === 0) return false;
    if (together.running === 0) return true;
    return together.running === 1 && preparing === null && waitingTogether() >= Math.max(last, beforeLast);
  }

  async function runShared(taken: Taken<Item, Outcome>[]) {
    preparing = taken;
    const sent = () => {
      // Also called at the end, when the next one may be preparing.
      if (preparing !== taken) return;
      preparing = null;
      if (together.ready.length > 0) plan();
    };
    const keys = taken.map(({ queue }) => queue);
    await run(together, keys, commitTogether(taken, sent).finally(sent));
  }

  async function run(turns: Turns<Item, Outcome>, taken: Q[], commit: Promise<() => void>) {
    turns.running++;
    const tell = await commit;
    turns.running--;
    for (const queue of taken) lineUp(queue);
    // Far fewer items than last time: let requests that have already arrived add theirs first.
    if (waitingTogether() * 2 < last) plan();
    else startNext();
    // Send the next commit first: the database works on it while the callers of this one are answered.
    setImmediate(() => {
      tell();
      if (queues.size === 0) idle.resolve();
    });
  }

  /** Never throws; returns a function that answers the callers. */
  async function commitTogether(taken: Taken<Item, Outcome>[], sent: () => void): Promise<() => void> {
    const portions = taken.map(({ queue, batch }) => ({
      key: queue.key,
      items: batch.map(({ item }) => item),
    }));
    let results: (Outcomes<Outcome> | 'held')[];
    try {
      // A commit serves many callers, so its rows count for none of them.
      results = await metered(null, () => options.commitTogether(portions, sent));
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
      const items = batch.map(({ item }) => item);
      const outcomes = await metered(null, () => options.commitAlone({ key: queue.key, items }));
      return () => settle(batch, outcomes);
    } catch (error) {
      // One item may have failed the whole transaction: halving isolates it, so only that item fails.
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

/** Whole portions from the front of the queue, up to a full commit. */
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
