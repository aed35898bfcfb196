import { LRUCache } from 'lru-cache';

/** How an attempt went, as far as it tells how much an endpoint can take. */
export interface Outcome {
  ok: boolean;
  durationMs: number;
  /** What is left to do once the endpoint has answered and the next one may have its turn. */
  afterwards?: () => Promise<void>;
}

interface Lane {
  underWay: number;
  /** Called with true when it is their turn, with false when they must come back later. */
  waiting: ((turn: boolean) => void)[];
  /** How many may be under way at once. */
  allowance: number;
  /** How long an attempt takes, as a moving average. */
  typicalMs: number;
  /** When the deliveries put off so far will have had their turn. */
  bookedUntil: number;
  watch: NodeJS.Timeout | undefined;
}

const LANES_KEPT = 10_000;
const START = 8;
const MOST = 32;
/** Of an endpoint that nobody has called yet: trusted to be quick until it proves otherwise. */
const TYPICAL_MS = 4;
/** An answer that takes longer holds up others: the endpoint gets fewer at a time. */
const SLOW_MS = 1_000;
/** Waiting here holds one of the worker's places, so only a short while is worth it. */
const LONGEST_WAIT_MS = 400;
const LEAST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;

/**
 * Keeps a slow or dead endpoint from holding up the others. Each endpoint has a lane of its own: as long as it answers
 * promptly it may have more and more under way; every failure or slow answer halves that, down to one. What a lane
 * cannot take within moments is put off and leaves its place in the worker to somebody else.
 */
export function makeLanes(now: () => number = () => performance.now()) {
  const lanes = new LRUCache<string, Lane>({ max: LANES_KEPT });

  function laneOf(id: string): Lane {
    const known = lanes.get(id);
    if (known) return known;
    const lane: Lane = {
      underWay: 0,
      waiting: [],
      allowance: START,
      typicalMs: TYPICAL_MS,
      bookedUntil: 0,
      watch: undefined,
    };
    lanes.set(id, lane);
    return lane;
  }

  const pace = (lane: Lane) => lane.typicalMs / lane.allowance;

  /** How long to stay away: until all who came before have had their turn, within bounds. */
  function book(lane: Lane): number {
    const earliest = now() + Math.max(LEAST_DELAY_MS, (lane.underWay + lane.waiting.length) * pace(lane));
    lane.bookedUntil = Math.max(lane.bookedUntil, earliest) + pace(lane);
    lane.bookedUntil = Math.min(lane.bookedUntil, now() + LONGEST_DELAY_MS);
    return lane.bookedUntil - now();
  }

  /** Nothing has come back for too long: whoever waits for a place makes room for others. */
  function onSilence(lane: Lane): void {
    lane.watch = undefined;
    lane.typicalMs = Math.max(lane.typicalMs, LONGEST_WAIT_MS);
    for (const tell of lane.waiting.splice(0)) tell(false);
  }

  const hasPlace = (lane: Lane) => lane.underWay < lane.allowance;
  const worthWaiting = (lane: Lane) => (lane.waiting.length + 1) * pace(lane) <= LONGEST_WAIT_MS;

  async function enter(lane: Lane): Promise<boolean> {
    if (hasPlace(lane)) {
      lane.underWay += 1;
      return true;
    }
    if (!worthWaiting(lane)) return false;
    lane.watch ??= setTimeout(onSilence, LONGEST_WAIT_MS, lane);
    return new Promise((resolve) => lane.waiting.push(resolve));
  }

  function leave(lane: Lane, { ok, durationMs }: Outcome): void {
    lane.underWay -= 1;
    lane.typicalMs += (durationMs - lane.typicalMs) / 8;
    const prompt = ok && durationMs < SLOW_MS;
    lane.allowance = prompt ? Math.min(lane.allowance + 1, MOST) : Math.max(1, lane.allowance >> 1);
    clearTimeout(lane.watch);
    lane.watch = undefined;
    while (lane.waiting.length > 0 && hasPlace(lane)) {
      lane.underWay += 1;
      lane.waiting.shift()!(true);
    }
    if (lane.waiting.length > 0) lane.watch = setTimeout(onSilence, LONGEST_WAIT_MS, lane);
  }

  return {
    /** After how many milliseconds to try again, if there is no point in trying now: spares the preparation. */
    turnAway(id: string): number | null {
      const lane = laneOf(id);
      return hasPlace(lane) || worthWaiting(lane) ? null : book(lane);
    },
    /** Runs the attempt when it is its turn, or answers after how many milliseconds to try again. */
    async run(id: string, attempt: () => Promise<Outcome>): Promise<number | null> {
      const lane = laneOf(id);
      if (!(await enter(lane))) return book(lane);
      let outcome: Outcome = { ok: false, durationMs: lane.typicalMs };
      try {
        outcome = await attempt();
      } finally {
        leave(lane, outcome);
      }
      await outcome.afterwards?.();
      return null;
    },
  };
}
