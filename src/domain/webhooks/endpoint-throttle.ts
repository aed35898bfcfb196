import { LRUCache } from 'lru-cache';

/** How an attempt went, as far as it tells how much an endpoint can take. */
export interface Outcome {
  ok: boolean;
  durationMs: number;
  /** What is left to do once the endpoint has answered and the next one may have its turn. */
  afterwards?: () => Promise<void>;
}

interface Endpoint {
  underWay: number;
  /** Called with true when it is their turn, with false when they must come back later. */
  waiting: ((turn: boolean) => void)[];
  /** How many may be under way at once. */
  concurrency: number;
  /** How long an attempt takes, as a moving average. */
  typicalMs: number;
  /** When the deliveries put off so far will have had their turn. */
  bookedUntil: number;
  /** Whether the last attempt was answered promptly. */
  answers: boolean;
  watch: NodeJS.Timeout | undefined;
}

const ENDPOINTS_KEPT = 10_000;
/** Few, so that even twenty endpoints that all hang leave most of a worker's places to others. */
const START = 4;
const MOST = 32;
/** Of an endpoint without calls so far: assumed to be fast until proven otherwise. */
const TYPICAL_MS = 4;
/** An answer that takes longer holds up others: the endpoint gets fewer at a time. */
const SLOW_MS = 1_000;
/** Waiting here holds one of the worker's places, so only a short while is worth it. */
const LONGEST_WAIT_MS = 400;
/** Deliveries that may wait for endpoints which have not answered yet: hundreds of those must not take all places. */
const MOST_IN_DOUBT = 32;
const LEAST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;

/**
 * Throttles each endpoint by itself, so that a slow or dead one does not hold up the others: as long as it answers
 * promptly its concurrency grows; every failure or slow answer halves that, down to one. What an endpoint cannot take
 * within moments is deferred and leaves its slot in the worker to others.
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

  /** How long to stay away: until all who came before have had their turn, within bounds. */
  function book(endpoint: Endpoint): number {
    const earliest =
      now() + Math.max(LEAST_DELAY_MS, (endpoint.underWay + endpoint.waiting.length) * pace(endpoint));
    endpoint.bookedUntil = Math.max(endpoint.bookedUntil, earliest) + pace(endpoint);
    endpoint.bookedUntil = Math.min(endpoint.bookedUntil, now() + LONGEST_DELAY_MS);
    return endpoint.bookedUntil - now();
  }

  /** Nothing has come back for too long: waiting deliveries make room for others. */
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
    /** After how many milliseconds to try again, if there is no point in trying now: spares the preparation. */
    delayIfBusy(id: string): number | null {
      const endpoint = endpointOf(id);
      return hasPlace(endpoint) || worthWaiting(endpoint) ? null : book(endpoint);
    },
    /**
     * Runs the attempt when it is its turn, or answers after how many milliseconds to try again. The attempt may answer
     * that too, if nothing was sent.
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
