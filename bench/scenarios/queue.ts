import pg from 'pg';
import { makeClusterTemplate } from '../../test/helpers/failover.ts';
import { closedLoop } from '../harness/measure.ts';
import type { Scenario } from '../harness/scenario.ts';

const CLIENTS = 8;
/** Far in the future, so that no worker takes it. */
const JOB = `ARRAY[ROW('bench', '{}', NULL, now() + interval '1 day', NULL, NULL, NULL, NULL)::graphile_worker.job_spec]`;

const commits = (admin: pg.Pool, add: string) =>
  closedLoop(CLIENTS, () =>
    admin.query({ name: `bench ${add}`, text: `SELECT count(*) FROM ${add}(${JOB})` }),
  );

/** A commit that notifies holds a server-wide lock until it is durable, so all other notifying commits wait. */
export const queueJobs: Scenario = {
  name: 'queue-jobs',
  title: 'commits that queue a job, 8 clients',
  limit: 'the same with NOTIFY in the transaction',
  unit: 'commits/s',
  target: 1,
  async prepare({ admin }) {
    return { ours: commits(admin, 'queue_jobs'), limit: commits(admin, 'graphile_worker.add_jobs') };
  },
};

/** The same on a primary whose commits wait for a standby on this machine; neither of them syncs to disk. */
export const queueJobsReplicated: Scenario = {
  name: 'queue-jobs-replicated',
  title: 'commits that queue a job, 8 clients, synchronous standby',
  limit: 'the same with NOTIFY in the transaction',
  unit: 'commits/s',
  target: 1,
  async prepare(stage) {
    const template = await makeClusterTemplate();
    stage.atEnd(async () => template.remove());
    const pair = await template.makePair({ synchronous: true });
    stage.atEnd(() => pair.stop());
    const admin = new pg.Pool({
      connectionString: pair.urlsAt(pair.primary.port).adminUrl,
      max: CLIENTS,
    });
    // A connection may still be closing when its server stops.
    admin.on('error', () => {});
    stage.atEnd(() => admin.end());
    return { ours: commits(admin, 'queue_jobs'), limit: commits(admin, 'graphile_worker.add_jobs') };
  },
};
