import { sql } from '../../db/sql.ts';
import { addJobs, type JobOptions, jobSql } from '../../queue/enqueue.ts';
import type { Infrastructure } from '../context.ts';
import type { Work } from '../unit-of-work.ts';

/** An execution has one job at a time, with this key. */
export const runKey = (executionId: string) => `run_workflow:${executionId}`;

/** Queues the job that continues an execution, in the transaction of its change. */
export function enqueueRun(
  work: Work,
  { id, centerId }: { id: string; centerId: number },
  options: Omit<JobOptions, 'key'> = {},
): void {
  work.enqueue('run_workflow', { executionId: id, centerId }, { ...options, key: runKey(id) });
}

const AT_ONCE = 500;

const RUN_JOB = jobSql('run_workflow', {
  payload: { executionId: 'id', centerId: 'center_id' },
  key: `'${runKey('')}' || id`,
});
const REQUEUE_STALLED = sql('requeue_stalled_runs')`${addJobs(`SELECT ${RUN_JOB} FROM (
  SELECT e.id, e.center_id FROM workflow_execution e
  WHERE e.status = 'RUNNING' AND (e.lease_until IS NULL OR e.lease_until < now()) AND NOT EXISTS (
    SELECT FROM graphile_worker.jobs j WHERE j.key = '${runKey('')}' || e.id AND j.attempts < j.max_attempts)
  ORDER BY e.id LIMIT ${AT_ONCE}) stalled`)}`;

/**
 * Requeues running executions that have no lease and no job, or only a job that failed for good, so that nothing stays RUNNING
 * forever. An execution and its next job are always written in one transaction, so one statement sees both.
 */
export async function requeueStalled(app: Infrastructure): Promise<void> {
  await REQUEUE_STALLED.run(app.db.declared('acrossTenants'), {});
}
