import type { Pool } from '../db/database.ts';
import type { Heartbeat } from '../db/heartbeat.ts';
import { unlockAbandoned, unlockAll } from '../db/internals/graphile-worker.ts';
import type { Log } from '../lib/log.ts';

/**
 * Unlocks the jobs of dead worker pools, and jobs that a pool of this process was assigned in an answer that never arrived.
 * graphile-worker itself waits four hours.
 */
export interface Takeover {
  /** Reports the pool as alive. Jobs that are locked for it but not running are unlocked. */
  watch(poolId: string, inHand: ReadonlySet<string>): void;
  /** The pool has ended: unlocks the jobs it still holds. */
  release(poolId: string): Promise<void>;
  /** No longer reports the pool as alive. */
  forget(poolId: string): void;
  stop(): Promise<void>;
}

/** Checks within the time after which a pool without a heartbeat counts as dead. */
const CHECKS = 3;

/** The interval between two checks for abandoned jobs. */
export const checkEveryMs = (takeoverSeconds: number) => (takeoverSeconds * 1_000) / CHECKS;

export function startTakeover(heartbeat: Heartbeat, pool: Pool, takeoverSeconds: number, log: Log): Takeover {
  const inHand = new Map<string, ReadonlySet<string>>();
  let checkedAt = 0;
  let current: Promise<void> | null = null;

  /** While the heartbeat of this process fails, so do those of others, which then look dead. */
  function seesOthers(): boolean {
    const recoveredAt = heartbeat.recoveredAt();
    return heartbeat.commits() && (!recoveredAt || performance.now() - recoveredAt > takeoverSeconds * 1_000);
  }

  async function check(): Promise<void> {
    checkedAt = performance.now();
    try {
      const others = seesOthers();
      const holders = await unlockAbandoned(pool, { seconds: takeoverSeconds, inHand, others });
      if (holders.length > 0) log.warn({ workers: holders }, 'took over stalled jobs');
    } catch (error) {
      log.warn({ err: error }, 'could not search for stalled jobs');
    }
    current = null;
  }

  function forget(poolId: string): void {
    inHand.delete(poolId);
    heartbeat.workerPools.delete(poolId);
  }

  current = check();
  const unsubscribe = heartbeat.onBeat(() => {
    if (performance.now() - checkedAt >= checkEveryMs(takeoverSeconds)) current ??= check();
  });
  return {
    watch(poolId, jobs) {
      inHand.set(poolId, jobs);
      heartbeat.workerPools.add(poolId);
    },
    forget,
    async release(poolId) {
      forget(poolId);
      await current;
      await unlockAll(pool, poolId);
    },
    async stop() {
      unsubscribe();
      await current;
    },
  };
}
