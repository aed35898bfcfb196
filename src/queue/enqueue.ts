import type { Pool } from '../db/database.ts';
import { sql, type Transaction } from '../db/sql.ts';
import { traceParent } from '../lib/tracing.ts';
import { MAX_ATTEMPTS, type TaskName, type TaskPayload, tasks } from './tasks.ts';

export interface JobOptions {
  runAt?: Date;
  /** A job replaces a waiting job with the same key. */
  key?: string;
  /** Smaller runs first; 0 by default. */
  priority?: number;
  /** Do not wake workers at commit: the caller does so afterwards with `Bus.wakeWorkers`. */
  quiet?: boolean;
}

/** The priority of a job that was deferred because its center or endpoint reached its limit: jobs of others run first. */
export const POSTPONED_PRIORITY = 20;

const JOB = `SELECT ${job('$task::text', '$payload::json', '$runAt::timestamptz', '$maxAttempts::int', '$key::text', '$priority::int')}`;
const ENQUEUE = sql('enqueue')`${addJobs(JOB)}`;
const ENQUEUE_QUIETLY = sql('enqueue_quietly')`${addJobs(JOB, { quiet: true })}`;

/** Queues a job in the caller's transaction: the job exists if and only if it commits. */
export async function enqueue<Name extends TaskName>(
  db: Transaction | Pool,
  task: Name,
  payload: TaskPayload<Name>,
  { runAt, key, priority, quiet = false }: JobOptions = {},
): Promise<void> {
  // The trace context is stored with the job; the task does not see it.
  const checked = JSON.stringify({ ...tasks[task].parse(payload), trace: traceParent() });
  await (quiet ? ENQUEUE_QUIETLY : ENQUEUE).run(db, {
    task,
    payload: checked,
    runAt: runAt ?? null,
    maxAttempts: MAX_ATTEMPTS[task] ?? null,
    key: key ?? null,
    priority: priority ?? null,
  });
}

/** The parts of a job inside a larger statement, as SQL. */
interface JobSql<Name extends TaskName> {
  payload: { [Field in keyof TaskPayload<Name>]-?: string };
  runAt?: string;
  key?: string;
  /** Smaller runs first; 0 by default. */
  priority?: string | number;
  /** The trace parent, as `traceparent`. */
  trace?: string;
}

/** The SQL of one job for `addJobs`. The payload type is that of the task. */
export function jobSql<Name extends TaskName>(task: Name, { payload, ...options }: JobSql<Name>): string {
  const fields = Object.entries<string>(payload).map(([name, value]) => `'${name}', ${value}`);
  const { runAt = 'NULL', key = 'NULL', priority = 'NULL', trace } = options;
  if (trace) fields.push(`'trace', ${trace}`);
  const most = MAX_ATTEMPTS[task] ?? 'NULL';
  return job(`'${task}'`, `json_build_object(${fields.join(', ')})`, runAt, most, key, priority);
}

/**
 * The SQL that queues the jobs selected by a query. Adding an empty list would wake every idle worker. With `quiet`, the
 * caller wakes them after its commit.
 */
export function addJobs(selectJobs: string, { quiet }: { quiet: boolean } = { quiet: false }): string {
  return `SELECT count(*) FROM (SELECT array_agg(job) AS jobs FROM (${selectJobs}) AS queued(job)) AS due,
          ${quiet ? 'queue_jobs' : 'graphile_worker.add_jobs'}(due.jobs) WHERE due.jobs IS NOT NULL`;
}

type SqlValue = string | number;

function job(
  task: string,
  payload: string,
  runAt: string,
  maxAttempts: SqlValue,
  key: string,
  priority: SqlValue,
): string {
  return `ROW(${task}, ${payload}, NULL, ${runAt}, ${maxAttempts}, ${key}, ${priority}, NULL)::graphile_worker.job_spec`;
}
