import type { Pool } from '../db/database.ts';
import { unlockAbandoned, unlockAll } from '../db/internals/graphile-worker.ts';
import type { Log } from '../lib/log.ts';

/**
 * The queue itself gives a job back only hours after its worker was killed. So every pool of workers gives a sign of
 * life, and all of them look for jobs that nobody works on and give them back.
 */
export interface Heartbeat {
  /** From now on signs of life are given for the pool. What is locked for it and not in its hands is given back. */
  watch(poolId: string, inHand: ReadonlySet<string>): void;
  /** The pool has ended: gives back at once whatever it still holds. */
  release(poolId: string): Promise<void>;
  /** No more signs of life for the pool. */
  forget(poolId: string): void;
  stop(): Promise<void>;
}

/** Beats in the time after which silence counts as death. */
const BEATS = 3;

/** From one sign of life, and one look for the silent, to the next. */
export const beatEveryMs = (takeoverSeconds: number) => (takeoverSeconds * 1_000) / BEATS;

export function startHeartbeat(pool: Pool, takeoverSeconds: number, log: Log): Heartbeat {
  const watched = new Map<string, ReadonlySet<string>>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let current: Promise<void> = Promise.resolve();

  async function beat(): Promise<void> {
    try {
      await pool.query(
        `INSERT INTO worker_heartbeat (id, beat_at) SELECT unnest($1::text[]), now()
         ON CONFLICT (id) DO UPDATE SET beat_at = now()`,
        [[...watched.keys()]],
      );
      const holders = await unlockAbandoned(pool, takeoverSeconds, watched);
      if (holders.length > 0) log.warn({ workers: holders }, 'took over stalled jobs');
    } catch (error) {
      log.warn({ err: error }, 'could not send a heartbeat');
    }
    if (!stopped) timer = setTimeout(run, beatEveryMs(takeoverSeconds));
  }
  function run() {
    current = beat();
  }
  run();

  return {
    watch: (poolId, inHand) => void watched.set(poolId, inHand),
    forget: (poolId) => void watched.delete(poolId),
    async release(poolId) {
      watched.delete(poolId);
      await current;
      await unlockAll(pool, poolId);
      await pool.query('DELETE FROM worker_heartbeat WHERE id = $1', [poolId]);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
