/** A job's place in a pool: claimed for it, and working only between `resume` and `pause`. */
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
  /** When the jobs put off so far will have had their turn. */
  bookedUntil: number;
}

const TYPICAL_MS = 50;
const LEAST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** Jobs that belong to no center. */
const NO_CENTER = 0;

/**
 * Shares a pool of workers among centers. The next free slot goes to the center that works in the fewest, in turn, so no
 * center takes more than its share while another one waits. A center may claim a quarter of the jobs: what it has beyond
 * that goes back to the queue, so that the jobs of others behind it are found.
 */
export function makeFairShare(
  { slots, claims }: FairShareOptions,
  now: () => number = () => performance.now(),
) {
  const most = Math.max(1, Math.floor(claims / 4));
  /** In the order of their turns. */
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
    // To the end of the line, for the turns among equals.
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
    /** A seat, or after how many milliseconds to claim the job again. */
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
