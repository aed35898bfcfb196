import { closedLoop } from '../harness/measure.ts';
import type { Scenario } from '../harness/scenario.ts';
import type { Stage } from '../harness/stage.ts';

const CLIENTS = 8;
/** Far ahead, so that no worker takes it. */
const JOB = `ARRAY[ROW('bench', '{}', NULL, now() + interval '1 day', NULL, NULL, NULL, NULL)::graphile_worker.job_spec]`;

const commits = ({ admin }: Stage, add: string) =>
  closedLoop(CLIENTS, () =>
    admin.query({ name: `bench ${add}`, text: `SELECT count(*) FROM ${add}(${JOB})` }),
  );

/** A commit that notifies holds a lock of the whole server until it is durable, so that all others that notify wait. */
export const queueJobs: Scenario = {
  name: 'queue-jobs',
  title: 'commits that queue a job, 8 clients',
  limit: 'the same with NOTIFY in the transaction',
  unit: 'commits/s',
  target: 1,
  async prepare(stage) {
    return { ours: commits(stage, 'queue_jobs'), limit: commits(stage, 'graphile_worker.add_jobs') };
  },
};
