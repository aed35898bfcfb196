import type { Pool } from '../db/database.ts';
import type { Log } from '../lib/log.ts';

/**
 * The queue itself gives a job back only hours after its worker was killed. So every pool of workers gives a sign of
 * life, and all of them look for holders of jobs that have fallen silent and free what they hold.
 */
export interface Heartbeat {
  /** From now on signs of life are given for the pool. */
  watch(poolId: string): void;
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
  const watched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let current: Promise<void> = Promise.resolve();

  async function beat(): Promise<void> {
    try {
      await pool.query(
        `INSERT INTO worker_heartbeat (id, beat_at) SELECT unnest($1::text[]), now()
         ON CONFLICT (id) DO UPDATE SET beat_at = now()`,
        [[...watched]],
      );
      const freed = await takeOver(pool, takeoverSeconds);
      if (freed.length > 0) log.warn({ workers: freed }, 'took over the jobs of workers that fell silent');
    } catch (error) {
      log.warn({ err: error }, 'could not give a sign of life');
    }
    if (!stopped) timer = setTimeout(run, beatEveryMs(takeoverSeconds));
  }
  function run() {
    current = beat();
  }
  run();

  return {
    watch: (poolId) => void watched.add(poolId),
    forget: (poolId) => void watched.delete(poolId),
    async release(poolId) {
      watched.delete(poolId);
      await current;
      await free(pool, [poolId]);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}

/** Frees the jobs of every holder without a recent sign of life; answers who they were. */
async function takeOver(pool: Pool, seconds: number): Promise<string[]> {
  const { rows } = await pool.query<{ holder: string }>(
    `SELECT DISTINCT j.locked_by AS holder
     FROM graphile_worker.jobs j LEFT JOIN worker_heartbeat h ON h.id = j.locked_by
     WHERE j.locked_by IS NOT NULL
       -- One that never gave a sign may just have started.
       AND coalesce(h.beat_at, j.locked_at) < now() - $1 * interval '1 second'`,
    [seconds],
  );
  const silent = rows.map(({ holder }) => holder);
  if (silent.length > 0) await free(pool, silent);
  await pool.query(`DELETE FROM worker_heartbeat WHERE beat_at < now() - interval '1 hour'`);
  return silent;
}

/** An attempt that its holder did not live to finish does not count: it says nothing about the job. */
async function free(pool: Pool, holders: string[]): Promise<void> {
  await pool.query(
    `UPDATE graphile_worker._private_jobs SET attempts = greatest(0, attempts - 1) WHERE locked_by = ANY ($1)`,
    [holders],
  );
  await pool.query('SELECT graphile_worker.force_unlock_workers($1)', [holders]);
  await pool.query('DELETE FROM worker_heartbeat WHERE id = ANY ($1)', [holders]);
}
