import type { Pool } from '../db/database.ts';

/** An attempt that was not carried to its end does not count: it says nothing about the job. No job of ours is in a named queue. */
const GIVEN_BACK = 'attempts = greatest(0, attempts - 1), locked_by = NULL, locked_at = NULL';

/** When a job that the database was away for is tried again. The queue's own waits grow with each failure, up to hours. */
const AGAIN_AFTER = '2 seconds';

/** The holder of jobs: a pool of workers, by its id. */
type Holder = string;

/** Gives back all that a holder has. */
export async function giveBackAll(pool: Pool, holder: Holder): Promise<void> {
  await pool.query(`UPDATE graphile_worker._private_jobs SET ${GIVEN_BACK} WHERE locked_by = $1`, [holder]);
}

/** Gives back a job that failed only because the database was away. What the queue does with the failure finds it gone. */
export async function giveBackInterrupted(
  pool: Pool,
  job: { id: string; locked_by: Holder | null },
  error: Error,
): Promise<void> {
  await pool.query(
    `UPDATE graphile_worker._private_jobs SET ${GIVEN_BACK}, run_at = now() + interval '${AGAIN_AFTER}', last_error = $3
     WHERE id = $1 AND locked_by = $2`,
    [job.id, job.locked_by, error.message],
  );
}

/** What the pools of this process have in hand, by the id of the pool. */
type InHand = ReadonlyMap<Holder, ReadonlySet<string>>;

/**
 * Gives back what nobody works on, and answers who held it: the jobs of every holder without a recent sign of life, and
 * those that the database gave to a pool of this process in an answer that never arrived.
 */
export async function giveBackAbandoned(pool: Pool, seconds: number, inHand: InHand): Promise<Holder[]> {
  const { rows } = await pool.query<{ holder: Holder }>(
    `WITH since AS (SELECT now() - $1 * interval '1 second' AS at),
     abandoned AS (
       SELECT j.id, j.locked_by AS holder
       FROM since, graphile_worker._private_jobs j LEFT JOIN worker_heartbeat h ON h.id = j.locked_by
       WHERE j.locked_by IS NOT NULL
         -- One that never gave a sign may just have started.
         AND (coalesce(h.beat_at, j.locked_at) < since.at
           OR (j.locked_at < since.at AND j.locked_by = ANY ($2) AND j.id <> ALL ($3::bigint[])))
       -- Others look at the same moment; and its holder may be finishing it after all.
       FOR UPDATE OF j SKIP LOCKED
     ), given_back AS (
       UPDATE graphile_worker._private_jobs j SET ${GIVEN_BACK} FROM abandoned a WHERE j.id = a.id
     ), silent AS (
       DELETE FROM worker_heartbeat h USING since WHERE h.beat_at < since.at
     )
     SELECT DISTINCT holder FROM abandoned`,
    [seconds, [...inHand.keys()], [...inHand.values()].flatMap((jobs) => [...jobs])],
  );
  return rows.map(({ holder }) => holder);
}
