import { addJobs, jobSql } from '../../queue/enqueue.ts';
import type { App } from '../app.ts';

const AT_ONCE = 500;

/** Queues executions again whose runner fell silent and whose job is gone: nothing stays RUNNING for ever. */
export async function requeueStalled(app: App): Promise<void> {
  const job = jobSql('run_workflow', { payload: { executionId: 'id' }, key: "'run_workflow:' || id" });
  await app.db.declared('acrossTenants').query(
    addJobs(`SELECT ${job} FROM (
      SELECT id FROM workflow_execution
      WHERE status = 'RUNNING' AND lease_until < now() - interval '1 minute'
      ORDER BY lease_until LIMIT $1) stalled`),
    [AT_ONCE],
  );
}
