import { LRUCache } from 'lru-cache';

/** The result of an attempt, as far as it indicates the endpoint's capacity. */
export interface Outcome {
  ok: boolean;
  durationMs: number;
  /** Work that remains after the response, when the next delivery may already be sent. */
  afterwards?: () => Promise<void>;
}

interface Endpoint {
  underWay: number;
  /** Called with true when it is the delivery's turn, with false if it must be deferred. */
  waiting: ((turn: boolean) => void)[];
  /** The current concurrency limit. */
  concurrency: number;
  /** The moving average of an attempt's duration. */
  typicalMs: number;
  /** When the deliveries deferred so far will have had their turn. */
  bookedUntil: number;
  /** Whether the last attempt was answered promptly. */
  answers: boolean;
  watch: NodeJS.Timeout | undefined;
}

const ENDPOINTS_KEPT = 10_000;
/** Kept low, so that even twenty hanging endpoints leave most of a worker's slots to others. */
const START = 4;
const MOST = 32;
/** The initial estimate: an endpoint is assumed to be fast. */
const TYPICAL_MS = 4;
/** A response that takes longer counts as slow, which reduces the endpoint's concurrency. */
const SLOW_MS = 1_000;
/** A waiting delivery occupies one of the worker's slots, so the wait must be short. */
const LONGEST_WAIT_MS = 400;
/**
 * How many deliveries may wait for endpoints that have not answered promptly, so that hundreds of such endpoints cannot take
 * all slots.
 */
const MOST_IN_DOUBT = 32;
const LEAST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;

/**
 * Throttles each endpoint separately, so that a slow or dead one does not block the others. Prompt responses raise its
 * concurrency; every failure or slow response halves it, down to one. Deliveries that an endpoint cannot take soon are
 * deferred, which frees their slot in the worker.
 */
export function makeEndpointThrottle(now: () => number = () => performance.now()) {
  const endpoints = new LRUCache<string, Endpoint>({ max: ENDPOINTS_KEPT });
  let waitingInDoubt = 0;

  function endpointOf(id: string): Endpoint {
    const known = endpoints.get(id);
    if (known) return known;
    const endpoint: Endpoint = {
      underWay: 0,
      waiting: [],
      concurrency: START,
      typicalMs: TYPICAL_MS,
      bookedUntil: 0,
      answers: false,
      watch: undefined,
    };
    endpoints.set(id, endpoint);
    return endpoint;
  }

  const pace = (endpoint: Endpoint) => endpoint.typicalMs / endpoint.concurrency;

  /** How long to defer: until all earlier deliveries have had their turn, within limits. */
  function book(endpoint: Endpoint): number {
    const earliest =
      now() + Math.max(LEAST_DELAY_MS, (endpoint.underWay + endpoint.waiting.length) * pace(endpoint));
    endpoint.bookedUntil = Math.max(endpoint.bookedUntil, earliest) + pace(endpoint);
    endpoint.bookedUntil = Math.min(endpoint.bookedUntil, now() + LONGEST_DELAY_MS);
    return endpoint.bookedUntil - now();
  }

  /** The endpoint has not answered for too long: waiting deliveries free their slots. */
  function onSilence(endpoint: Endpoint): void {
    endpoint.watch = undefined;
    endpoint.typicalMs = Math.max(endpoint.typicalMs, LONGEST_WAIT_MS);
    for (const tell of endpoint.waiting.splice(0)) tell(false);
  }

  const hasPlace = (endpoint: Endpoint) => endpoint.underWay < endpoint.concurrency;
  const worthWaiting = (endpoint: Endpoint) =>
    (endpoint.waiting.length + 1) * pace(endpoint) <= LONGEST_WAIT_MS &&
    (endpoint.answers || waitingInDoubt < MOST_IN_DOUBT);

  async function enter(endpoint: Endpoint): Promise<boolean> {
    if (hasPlace(endpoint)) {
      endpoint.underWay += 1;
      return true;
    }
    if (!worthWaiting(endpoint)) return false;
    endpoint.watch ??= setTimeout(onSilence, LONGEST_WAIT_MS, endpoint);
    const inDoubt = endpoint.answers ? 0 : 1;
    waitingInDoubt += inDoubt;
    const turn = await new Promise<boolean>((resolve) => endpoint.waiting.push(resolve));
    waitingInDoubt -= inDoubt;
    return turn;
  }

  function learn(endpoint: Endpoint, { ok, durationMs }: Outcome): void {
    endpoint.typicalMs += (durationMs - endpoint.typicalMs) / 8;
    endpoint.answers = durationMs < SLOW_MS;
    endpoint.concurrency =
      ok && endpoint.answers
        ? Math.min(endpoint.concurrency + 1, MOST)
        : Math.max(1, endpoint.concurrency >> 1);
  }

  function leave(endpoint: Endpoint): void {
    endpoint.underWay -= 1;
    clearTimeout(endpoint.watch);
    endpoint.watch = undefined;
    while (endpoint.waiting.length > 0 && hasPlace(endpoint)) {
      endpoint.underWay += 1;
      endpoint.waiting.shift()!(true);
    }
    if (endpoint.waiting.length > 0) endpoint.watch = setTimeout(onSilence, LONGEST_WAIT_MS, endpoint);
  }

  return {
    /** The delay in milliseconds if the endpoint is too busy to try now, checked before the delivery is prepared. */
    delayIfBusy(id: string): number | null {
      const endpoint = endpointOf(id);
      return hasPlace(endpoint) || worthWaiting(endpoint) ? null : book(endpoint);
    },
    /**
     * Runs the attempt when it is its turn, or returns the delay in milliseconds until the next try. The attempt may also
     * return a delay if nothing was sent.
     */
    async run(id: string, attempt: () => Promise<Outcome | number>): Promise<number | null> {
      const endpoint = endpointOf(id);
      if (!(await enter(endpoint))) return book(endpoint);
      let outcome: Outcome | number = { ok: false, durationMs: endpoint.typicalMs };
      try {
        outcome = await attempt();
      } finally {
        if (typeof outcome !== 'number') learn(endpoint, outcome);
        leave(endpoint);
      }
      if (typeof outcome === 'number') return outcome;
      await outcome.afterwards?.();
      return null;
    },
  };
}
