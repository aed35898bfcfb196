import { addJobs, jobSql } from '../../queue/enqueue.ts';
import type { Infrastructure } from '../context.ts';
import { runKey } from './queue-run.ts';

const AT_ONCE = 500;

/**
 * Queues executions again that nobody holds and that have no job, or only one that has failed for good: nothing stays
 * RUNNING for ever. An execution and its next job are always written together, so one look shows both.
 */
export async function requeueStalled(app: Infrastructure): Promise<void> {
  const job = jobSql('run_workflow', {
    payload: { executionId: 'id', centerId: 'center_id' },
    key: `'${runKey('')}' || id`,
  });
  await app.db.declared('acrossTenants').query(
    addJobs(`SELECT ${job} FROM (
      SELECT e.id, e.center_id FROM workflow_execution e
      WHERE e.status = 'RUNNING' AND (e.lease_until IS NULL OR e.lease_until < now()) AND NOT EXISTS (
        SELECT FROM graphile_worker.jobs j WHERE j.key = '${runKey('')}' || e.id AND j.attempts < j.max_attempts)
      ORDER BY e.id LIMIT $1) stalled`),
    [AT_ONCE],
  );
}
