/**
 * Everything this service relies on in graphile-worker beyond its documented API (docs/decisions/0023-queue-internals.md).
 * test/db/internals.test.ts checks it against the installed version.
 */
import type { WorkerEvents } from 'graphile-worker';
import { OperatorFault } from '../../lib/errors.ts';
import { APPLICATION_ROLE } from '../logins.ts';
import { type Queryable, sql } from '../sql.ts';

/** The channel on which workers listen for new jobs. */
export const JOBS_CHANNEL = 'jobs:insert';

const JOBS = 'graphile_worker._private_jobs';

/**
 * An interrupted attempt does not count, because it says nothing about the job. `force_unlock_workers` would count it, and
 * would unlock all jobs of a worker. Our jobs use no named queues.
 */
const UNLOCKED = 'attempts = greatest(0, attempts - 1), locked_by = NULL, locked_at = NULL';

/**
 * When a job that failed because the database was unavailable is retried. The queue's own backoff grows with each failure, up
 * to hours.
 */
const RETRY_AFTER = '2 seconds';

type PoolId = string;

const UNLOCK_ALL = sql(null)`UPDATE ${JOBS} SET ${UNLOCKED} WHERE locked_by = $pool`;

export async function unlockAll(db: Queryable, pool: PoolId): Promise<void> {
  await UNLOCK_ALL.run(db, { pool });
}

const UNLOCK_INTERRUPTED = sql(null)`
  UPDATE ${JOBS} SET ${UNLOCKED}, run_at = now() + interval '${RETRY_AFTER}', last_error = $error
  WHERE id = $id AND locked_by = $pool`;

/** Unlocks a job that failed only because the database was unavailable. The queue then finds no job to mark as failed. */
export async function unlockInterrupted(
  db: Queryable,
  job: { id: string; locked_by: PoolId | null },
  error: Error,
): Promise<void> {
  await UNLOCK_INTERRUPTED.run(db, { id: job.id, pool: job.locked_by, error: error.message });
}

/** The running jobs of this process's pools, by pool id. */
type InHand = ReadonlyMap<PoolId, ReadonlySet<string>>;

const UNLOCK_ABANDONED = sql(null, { pool: 'text' })`
  WITH since AS (SELECT now() - $seconds * interval '1 second' AS at),
  abandoned AS (
    SELECT j.id, j.locked_by AS pool
    FROM since, ${JOBS} j LEFT JOIN LATERAL (
      SELECT max(h.beat_at) AS at FROM process_heartbeat h WHERE j.locked_by = ANY (h.worker_pools)) beat ON true
    WHERE j.locked_by IS NOT NULL
      -- A pool without any heartbeat may just have started.
      AND (($others AND coalesce(beat.at, j.locked_at) < since.at)
        OR (j.locked_at < since.at AND j.locked_by = ANY ($pools) AND j.id <> ALL ($inHand::bigint[])))
    -- Other processes look at the same moment, and the pool may be finishing the job after all.
    FOR UPDATE OF j SKIP LOCKED
  ), unlocked AS (
    UPDATE ${JOBS} j SET ${UNLOCKED} FROM abandoned a WHERE j.id = a.id
  )
  SELECT DISTINCT pool FROM abandoned`;

interface Abandoned {
  /** A pool without a heartbeat for this long counts as dead. */
  seconds: number;
  inHand: InHand;
  /** Whether to unlock jobs of dead pools, or only those of this process's pools. */
  others: boolean;
}

/**
 * Unlocks the jobs of every pool without a recent heartbeat, and jobs that the database locked for a pool of this process in
 * an answer that never arrived. Resolves to the pools that held them.
 */
export async function unlockAbandoned(
  db: Queryable,
  { seconds, inHand, others }: Abandoned,
): Promise<PoolId[]> {
  const rows = await UNLOCK_ABANDONED.rows(db, {
    seconds,
    others,
    pools: [...inHand.keys()],
    inHand: [...inHand.values()].flatMap((jobs) => [...jobs]),
  });
  return rows.map(({ pool }) => pool);
}

/** A FROM clause with the payloads of a task's jobs that can still run. The documented view omits payloads. */
export const payloadsSql = (task: string) => `(
  SELECT j.payload FROM ${JOBS} j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
  WHERE t.identifier = '${task}' AND j.attempts < j.max_attempts)`;

/** The statement in graphile-worker's `add_jobs` that wakes workers. */
const NOTIFY = new RegExp(String.raw`^\s*perform pg_notify\('${JOBS_CHANNEL}'[^\n]*\n`, 'm');

/**
 * Creates `queue_jobs`, which is graphile-worker's `add_jobs` without its NOTIFY. A commit that notifies holds a server-wide
 * lock until it is durable and replicated, so commits that queue jobs would wait for one another. Workers are woken after the
 * commit (`Bus.wakeWorkers`); if that fails, they find jobs within their poll interval. The function is derived from the
 * installed one, so both always write the same rows.
 */
export async function createSilentEnqueue(database: Queryable): Promise<void> {
  const { rows } = await database.query<{ source: string; made: string | null; open: boolean | null }>(
    `SELECT a.prosrc AS source, q.prosrc AS made, has_function_privilege($1, q.oid, 'EXECUTE') AS open
     FROM pg_proc a LEFT JOIN pg_proc q ON q.proname = 'queue_jobs' AND q.pronamespace = 'public'::regnamespace
     WHERE a.proname = 'add_jobs' AND a.pronamespace = 'graphile_worker'::regnamespace`,
    [APPLICATION_ROLE],
  );
  const [row] = rows;
  const body = row?.source.replace(NOTIFY, '');
  if (!row || body === undefined || body === row.source)
    throw new OperatorFault(
      'graphile_worker.add_jobs is not the function of the version that this release needs.',
    );
  if (row.made === body && row.open) return;
  await database.query(
    `CREATE OR REPLACE FUNCTION public.queue_jobs(specs graphile_worker.job_spec[], job_key_preserve_run_at boolean DEFAULT false)
     RETURNS SETOF ${JOBS} LANGUAGE plpgsql AS $queue$${body}$queue$;
     GRANT EXECUTE ON FUNCTION public.queue_jobs(graphile_worker.job_spec[], boolean) TO ${APPLICATION_ROLE}`,
  );
}

/**
 * When a local queue is released while it holds jobs, it returns them but considers itself idle and awaits nothing. A failure
 * would then end the process, and even a clean stop would count as failed. A background promise until the next turn keeps the
 * queue busy and avoids this.
 */
export function awaitReturnedJobs(events: WorkerEvents): void {
  events.on('localQueue:init', ({ localQueue }) => {
    const occupy = () => localQueue['background'](new Promise((resolve) => setImmediate(resolve)));
    events.once('pool:gracefulShutdown', occupy);
  });
}
