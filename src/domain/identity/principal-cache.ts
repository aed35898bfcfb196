import { LRUCache } from 'lru-cache';
import type { Bus } from '../../db/bus.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Principal } from '../principal.ts';

/** The topic on which the database's own triggers tell what has changed. */
export const PRINCIPALS_TOPIC = 'principals';
const EVERYBODY = 'all';

const KEPT = 20_000;
/** Messages make entries go at once; this only bounds the harm should one ever be lost. */
const KEPT_MS = 30_000;
/**
 * An entry in use is renewed before it ends, so that no caller waits for it. Those that were made in the same moment are
 * renewed in different ones, or the database would be asked for all of them at once.
 */
const renewAfterMs = () => KEPT_MS * (0.4 + Math.random() * 0.4);

/** The owner of a credential, and everything this depends on. */
export interface Finding<P extends Principal> {
  principal: P;
  /** When the credential stops working by itself; Infinity for never. */
  goodUntil: number;
  restsOn: Tag[];
}

/** A thing whose change makes principals others, in the words of the triggers. */
type Tag = `${'session' | 'actor' | 'center' | 'key'}:${string | number}`;

interface Entry {
  found: Finding<Principal>;
  /** When it is to be looked up again, on the clock of `performance.now()`. */
  renewFrom: number;
}

/**
 * Remembers who stands behind a token or key, so that most requests ask the database nothing. An entry goes as soon as
 * anything it rests on changes in any process; while messages cannot be received nothing is remembered.
 */
export interface PrincipalCache {
  /** What is known of the credential, or what `load` finds out. Failures are not remembered. */
  find<P extends Principal>(credential: string, now: Date, load: () => Promise<Finding<P>>): Promise<P>;
  /** To be awaited after a change and before its answer: from then on the change is in force, here and elsewhere. */
  invalidate(): Promise<void>;
}

export function makePrincipalCache(bus: Bus): PrincipalCache {
  const byTag = new Map<string, Set<string>>();
  const entries = new LRUCache<string, Entry>({
    max: KEPT,
    ttl: KEPT_MS,
    dispose: ({ found }, key) => {
      for (const tag of found.restsOn) {
        const keys = byTag.get(tag);
        keys?.delete(key);
        if (keys?.size === 0) byTag.delete(tag);
      }
    },
  });
  // Counts the messages: what was read before one came may be stale, and is neither kept nor shared.
  let changes = 0;
  /** What is being found out since the last message: callers who want the same share it. */
  const underWay = new Map<string, Promise<Finding<Principal>>>();

  function noteChange() {
    changes++;
    underWay.clear();
  }

  function flush() {
    noteChange();
    entries.clear();
  }

  bus.on(PRINCIPALS_TOPIC, (message) => {
    if (message === null || message.id === EVERYBODY) return flush();
    noteChange();
    for (const key of [...(byTag.get(message.id) ?? [])]) entries.delete(key);
  });

  async function findOut(key: string, load: () => Promise<Finding<Principal>>) {
    const before = changes;
    const finding = load();
    underWay.set(key, finding);
    try {
      const found = await finding;
      if (changes === before && bus.connected()) {
        entries.set(key, { found, renewFrom: performance.now() + renewAfterMs() });
        for (const tag of found.restsOn) byTag.set(tag, (byTag.get(tag) ?? new Set()).add(key));
      }
      return found;
    } finally {
      if (underWay.get(key) === finding) underWay.delete(key);
    }
  }

  /** Runs in the background. A refused credential is forgotten; if the database fails, the entry expires as usual. */
  function renew(key: string, load: () => Promise<Finding<Principal>>) {
    findOut(key, load).catch((error: unknown) => {
      if (error instanceof DomainError) entries.delete(key);
    });
  }

  return {
    async invalidate() {
      flush();
      await bus.caughtUp();
    },
    async find(credential, now, load) {
      if (!bus.connected()) return (await load()).principal;
      const key = sha256Hex(credential);
      const known = entries.get(key);
      if (known && now.getTime() < known.found.goodUntil) {
        if (performance.now() >= known.renewFrom && !underWay.has(key)) renew(key, load);
        return known.found.principal as never;
      }
      const found = await (underWay.get(key) ?? findOut(key, load));
      return found.principal as never;
    },
  };
}
