/** A job's claim in a pool. The job works only between `resume` and `pause`. */
export interface Seat {
  /** Waits for one of the pool's slots. */
  resume(): Promise<void>;
  /** Releases the slot, for example while the job waits for another server. */
  pause(): void;
  leave(): void;
}

interface FairShareOptions {
  /** Jobs that work at the same time. */
  slots: number;
  /** Jobs that are claimed at the same time, working or not. */
  claims: number;
}

interface Center {
  id: number;
  claimed: number;
  working: number;
  waiting: (() => void)[];
  /** How long a job keeps its claim, as a moving average. */
  typicalMs: number;
  /** When the jobs deferred so far are expected to have run. */
  bookedUntil: number;
}

const TYPICAL_MS = 50;
const LEAST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
const NO_CENTER = 0;

/**
 * Shares a worker pool among centers. The next free slot goes to the center with the fewest running jobs, round robin among
 * equals, so no center exceeds its share while another one waits. A center may claim a quarter of the jobs; the rest returns
 * to the queue, so that jobs of other centers behind it are found.
 */
export function makeFairShare(
  { slots, claims }: FairShareOptions,
  now: () => number = () => performance.now(),
) {
  const most = Math.max(1, Math.floor(claims / 4));
  /** In round-robin order. */
  const centers = new Map<number, Center>();
  let working = 0;

  function centerOf(id: number): Center {
    const known = centers.get(id);
    if (known) return known;
    const center = { id, claimed: 0, working: 0, waiting: [], typicalMs: TYPICAL_MS, bookedUntil: 0 };
    centers.set(id, center);
    return center;
  }

  function next(): Center | undefined {
    let chosen: Center | undefined;
    for (const center of centers.values()) {
      if (center.waiting.length > 0 && (!chosen || center.working < chosen.working)) chosen = center;
    }
    return chosen;
  }

  function start(center: Center): void {
    working += 1;
    center.working += 1;
    // Moves the center to the end of the round.
    centers.delete(center.id);
    centers.set(center.id, center);
  }

  function stop(center: Center): void {
    working -= 1;
    center.working -= 1;
    const waiting = next();
    if (!waiting) return;
    start(waiting);
    waiting.waiting.shift()!();
  }

  function delay(center: Center): number {
    const pace = center.typicalMs / most;
    const earliest = Math.max(center.bookedUntil, now() + LEAST_DELAY_MS);
    center.bookedUntil = Math.min(earliest + pace, now() + LONGEST_DELAY_MS);
    return center.bookedUntil - now();
  }

  return {
    /** A seat, or the number of milliseconds after which to claim the job again. */
    enter(centerId: number = NO_CENTER): Seat | number {
      const center = centerOf(centerId);
      if (center.claimed >= most && centerId !== NO_CENTER) return delay(center);
      center.claimed += 1;
      const enteredAt = now();
      let holdsSlot = false;
      const pause = () => {
        if (!holdsSlot) return;
        holdsSlot = false;
        stop(center);
      };
      return {
        pause,
        async resume() {
          if (working < slots) start(center);
          else await new Promise<void>((resolve) => center.waiting.push(resolve));
          holdsSlot = true;
        },
        leave() {
          pause();
          center.claimed -= 1;
          center.typicalMs += (now() - enteredAt - center.typicalMs) / 8;
          if (center.claimed === 0 && center.bookedUntil <= now()) centers.delete(center.id);
        },
      };
    },
  };
}

export type FairShare = ReturnType<typeof makeFairShare>;
