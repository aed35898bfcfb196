import { LRUCache } from 'lru-cache';

interface OutboundCall {
  centerId: number;
  /** The most specific known target: a webhook, or a center's host. */
  endpoint: string;
  /** Host and port; null for a server of the operator, which is trusted to answer. */
  host: string | null;
}

export interface OutboundSlot {
  leave(durationMs: number): void;
}

/** By the last call: `slow` endpoints timed out or nearly did. */
type Expectation = 'prompt' | 'unknown' | 'slow';

interface Center {
  calls: number;
  bookedUntil: number;
}

const ENDPOINTS_KEPT = 10_000;
/** A call that takes longer delays others. */
const SLOW_MS = 1_000;
const LEAST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** How long a call is assumed to take. */
const ASSUMED_MS: Record<Expectation, number> = { prompt: 50, unknown: 200, slow: 5_000 };

/**
 * Limits the calls to external servers. Such a call may hang until its timeout and cannot be interrupted for another one, so
 * slots stay free for calls that are likely to be answered:
 *
 * - a center without running calls may always take a free slot;
 * - a center has at most a quarter of the slots while others have running calls;
 * - endpoints that have not answered promptly have at most a quarter for each center and for each host, and three
 *   quarters in total;
 * - endpoints whose last call was slow or timed out have at most a quarter in total, which the others leave over.
 */
export function makeOutboundSlots(slots: number, now: () => number = () => performance.now()) {
  const quarter = Math.max(1, Math.floor(slots / 4));
  const expectations = new LRUCache<string, Exclude<Expectation, 'unknown'>>({ max: ENDPOINTS_KEPT });
  const centers = new Map<number, Center>();
  /** Running calls to endpoints that may hang, by host. */
  const hosts = new Map<string, number>();
  const underWay: Record<Expectation, number> = { prompt: 0, unknown: 0, slow: 0 };

  const expectationOf = ({ endpoint, host }: OutboundCall): Expectation =>
    host === null ? 'prompt' : (expectations.get(endpoint) ?? 'unknown');

  function isFree({ centerId, host }: OutboundCall, expected: Expectation): boolean {
    const calls = centers.get(centerId)?.calls ?? 0;
    const uncertain = underWay.unknown + underWay.slow;
    if (underWay.prompt + uncertain >= slots) return false;
    if (calls === 0) return true;
    const alone = underWay.prompt + uncertain === calls;
    if (expected === 'prompt') return alone || calls < quarter;
    if (calls >= quarter || uncertain >= 3 * quarter) return false;
    if ((hosts.get(host!) ?? 0) >= quarter) return false;
    return expected !== 'slow' || underWay.slow < quarter;
  }

  /** Spreads deferred calls over the time that the calls before them will take. */
  function delay(center: Center, expected: Expectation): number {
    const earliest = Math.max(center.bookedUntil, now() + LEAST_DELAY_MS);
    center.bookedUntil = Math.min(earliest + ASSUMED_MS[expected] / quarter, now() + LONGEST_DELAY_MS);
    return center.bookedUntil - now();
  }

  function count(host: string | null, expected: Expectation, change: 1 | -1): void {
    underWay[expected] += change;
    if (expected === 'prompt' || host === null) return;
    const calls = (hosts.get(host) ?? 0) + change;
    if (calls === 0) hosts.delete(host);
    else hosts.set(host, calls);
  }

  return {
    /** A slot, or the number of milliseconds after which to retry. */
    enter(call: OutboundCall): OutboundSlot | number {
      const { centerId, endpoint, host } = call;
      const expected = expectationOf(call);
      const center = centers.get(centerId) ?? { calls: 0, bookedUntil: 0 };
      centers.set(centerId, center);
      if (!isFree(call, expected)) return delay(center, expected);
      center.calls += 1;
      count(host, expected, 1);
      return {
        leave(durationMs) {
          count(host, expected, -1);
          center.calls -= 1;
          if (center.calls === 0 && center.bookedUntil <= now()) centers.delete(centerId);
          expectations.set(endpoint, durationMs < SLOW_MS ? 'prompt' : 'slow');
        },
      };
    },
  };
}

export type OutboundSlots = ReturnType<typeof makeOutboundSlots>;
