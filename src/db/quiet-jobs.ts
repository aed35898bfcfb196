import { OperatorFault } from '../lib/errors.ts';
import { APPLICATION_ROLE } from './logins.ts';
import type { Queryable } from './sql.ts';

/** The statement of graphile-worker's `add_jobs` that wakes workers. */
const NOTIFY = /^\s*perform pg_notify\('jobs:insert'[^\n]*\n/m;

/**
 * Makes `queue_jobs`, which is graphile-worker's `add_jobs` without its NOTIFY. A commit that notifies holds a lock of the whole
 * server until it is durable and replicated, so that all commits that queue jobs would wait for one another. Workers are
 * woken after the commit (`Bus.wakeWorkers`), and find jobs within their poll interval where that fails. It is derived from
 * the function that is installed, so that both always write the same rows.
 */
export async function makeQuietQueue(database: Queryable): Promise<void> {
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
     RETURNS SETOF graphile_worker._private_jobs LANGUAGE plpgsql AS $queue$${body}$queue$;
     GRANT EXECUTE ON FUNCTION public.queue_jobs(graphile_worker.job_spec[], boolean) TO ${APPLICATION_ROLE}`,
  );
}
