import { LRUCache } from 'lru-cache';
import type { Bus } from '../../db/bus.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Principal } from '../principal.ts';

/** The topic on which database triggers announce changes. */
export const PRINCIPALS_TOPIC = 'principals';
const EVERYBODY = 'all';

const KEPT = 20_000;
/** Messages invalidate entries immediately. This only limits the damage if one is lost. */
const KEPT_MS = 30_000;
/**
 * An entry in use is refreshed before it expires, so that no caller waits for it. The time is randomized, so that entries
 * created together do not all query the database at once.
 */
const renewAfterMs = () => KEPT_MS * (0.4 + Math.random() * 0.4);

/** The owner of a credential, and everything that it depends on. */
export interface Finding<P extends Principal> {
  principal: P;
  /** When the credential expires; Infinity for never. */
  goodUntil: number;
  restsOn: Tag[];
}

/** Something whose change invalidates principals, as named by the triggers. */
type Tag = `${'session' | 'actor' | 'center' | 'key'}:${string | number}`;

interface Entry {
  found: Finding<Principal>;
  /** When to refresh it, on the clock of `performance.now()`. */
  renewFrom: number;
}

/**
 * Caches the principal behind a token or key, so that most requests need no database query. An entry is invalidated as soon as
 * anything it depends on changes in any process. Nothing is cached while messages cannot be received.
 */
export interface PrincipalCache {
  /** The cached credential, or the result of `load`. Failures are not cached. */
  find<P extends Principal>(credential: string, now: Date, load: () => Promise<Finding<P>>): Promise<P>;
  /** Await this after a change and before responding: from then on the change is in effect in all processes. */
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
  // The message count. Anything read before the latest message may be stale and is neither cached nor shared.
  let changes = 0;
  /** Loads in progress since the last message, shared by callers with the same credential. */
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

  /** Runs in the background. A rejected credential is removed; if the database fails, the entry expires as usual. */
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
