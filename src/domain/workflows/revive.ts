import type { App } from '../app.ts';

const AT_ONCE = 500;

/** Queues executions again whose runner fell silent and whose job is gone: nothing stays RUNNING for ever. */
export async function reviveStalled(app: App): Promise<void> {
  await app.db.pool.query(
    `SELECT graphile_worker.add_job('run_workflow', json_build_object('executionId', id),
              job_key => 'run_workflow:' || id)
     FROM (SELECT id FROM workflow_execution
           WHERE status = 'RUNNING' AND lease_until < now() - interval '1 minute'
           ORDER BY lease_until LIMIT $1) stalled`,
    [AT_ONCE],
  );
}
