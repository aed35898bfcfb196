import type { App } from '../../app.ts';
import { replicaStates } from '../../db/replica.ts';
import { sql } from '../../db/sql.ts';
import { readHistoryFindings } from '../../domain/ledger/findings.ts';
import { newestHead } from '../../domain/ledger/log/current-log.ts';

const JOBS_BY_TASK = sql('jobs_by_task', { task: 'text', state: 'text', jobs: 'int', oldest: 'float8?' })`
  SELECT task_identifier AS task, count(*)::int AS jobs, extract(epoch FROM now() - min(run_at))::float8 AS oldest,
         CASE WHEN attempts >= max_attempts AND locked_at IS NULL THEN 'failed' WHEN locked_at IS NOT NULL THEN 'running'
              WHEN run_at <= now() THEN 'ready' ELSE 'waiting' END AS state
  FROM graphile_worker.jobs GROUP BY 1, 4`;

const RECORDS_BY_DOMAIN = sql('records_by_domain', { domain: 'chain_domain', records: 'float8' })`
  SELECT domain, sum(size)::float8 AS records FROM ledger_chain GROUP BY domain`;

/** Updates the gauges that are not counted as events happen. Values that cannot be read are left out. */
export async function readMetrics(app: App, workerAlive: (() => boolean) | null): Promise<void> {
  const { metrics, db } = app;
  const up = db.watch.state() === 'ok';
  metrics.databaseUp.set(up ? 1 : 0);
  if (workerAlive) metrics.workerAlive.set(workerAlive() ? 1 : 0);
  for (const figure of [metrics.queueDepth, metrics.taskJobs, metrics.oldestJob]) figure.reset();
  for (const figure of [metrics.chainRecords, metrics.headAge]) figure.reset();
  readReplica(app);
  const { held, waiting } = app.contentBudget.figures();
  metrics.contentHeld.set(held);
  metrics.contentWaiting.set(waiting);
  if (!up) return;
  await Promise.all([readQueue(app), readChains(app)]);
}

function readReplica({ db: { replica }, metrics }: App): void {
  if (!replica) return;
  const current = replica.state();
  for (const state of replicaStates) metrics.replicaState.set({ state }, state === current ? 1 : 0);
  metrics.replicaLag.set(replica.lagSeconds() ?? Number.NaN);
  metrics.replicaStatements.reset();
  for (const [server, statements] of Object.entries(replica.counts()))
    metrics.replicaStatements.inc({ server }, statements);
}

async function readQueue({ db, metrics }: App): Promise<void> {
  const rows = await JOBS_BY_TASK.rows(db.pool, {});
  const totals: Record<string, number> = { ready: 0, waiting: 0, failed: 0 };
  for (const { task, state, jobs, oldest } of rows) {
    metrics.taskJobs.set({ task, state }, jobs);
    if (state === 'ready') metrics.oldestJob.set({ task }, Math.max(0, oldest ?? 0));
    // Running jobs do not delay others.
    if (state in totals) totals[state]! += jobs;
  }
  for (const [state, jobs] of Object.entries(totals)) metrics.queueDepth.set({ state }, jobs);
}

async function readChains({ db, metrics }: App): Promise<void> {
  const all = db.declared('acrossTenants');
  const rows = await RECORDS_BY_DOMAIN.rows(all, {});
  for (const { domain, records } of rows) metrics.chainRecords.set({ domain }, records);
  const findings = await readHistoryFindings(all);
  metrics.historyLost.set(findings.filter(({ kind }) => kind === 'lost').length);
  const head = await newestHead(all);
  if (head) metrics.headAge.set((Date.now() - head.createdAt.getTime()) / 1_000);
}
