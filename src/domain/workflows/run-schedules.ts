import { isDatabaseDown } from '../../db/faults.ts';
import { sql } from '../../db/sql.ts';
import { type Infrastructure, systemContext } from '../context.ts';
import { runFairPass } from '../fair-pass.ts';
import { featuresOffOf } from '../features/features-off.ts';
import { transact } from '../unit-of-work.ts';
import { checkParameters } from './definition/parameters.ts';
import { dueRun, nextRun } from './schedule.ts';
import { causedBy, startExecution } from './start.ts';

/** The share of a center in a round. */
const SHARE = 10;

const DUE = sql('workflows_due', { id: 'text', centerId: 'int' })`
  SELECT id, center_id AS "centerId" FROM (
    SELECT w.id, w.center_id, w.next_run_at, row_number() OVER (PARTITION BY w.center_id ORDER BY w.next_run_at, w.id) AS place
    FROM workflow w JOIN center c ON c.id = w.center_id AND c.status = 'ACTIVE'
    WHERE w.type = 'SCHEDULED' AND w.status = 'ACTIVE' AND w.deleted_at IS NULL AND w.next_run_at <= $now) due
  WHERE place <= ${SHARE} ORDER BY next_run_at`;

/** Starts every scheduled workflow that is due. */
export async function runSchedules(app: Infrastructure, now = new Date()): Promise<void> {
  const db = app.db.declared('acrossTenants');
  await runFairPass(app, 'schedules', async () => {
    const rows = await DUE.rows(db, { now });
    const centers = Map.groupBy(rows, ({ centerId }) => centerId);
    const off = await featuresOffOf(db, [...centers.keys()], app.config.enforcePlanFeatures);
    return [...centers].map(([centerId, due]) => ({
      async run() {
        const enabled = !off.get(centerId)?.workflows;
        for (const { id } of due)
          await orRetryLater(app, id, now, () => startDue(app, id, centerId, now, enabled));
      },
    }));
  });
}

const POSTPONE = sql('postpone_workflow')`
  UPDATE workflow SET next_run_at = $now::timestamptz + interval '1 minute' WHERE id = $id AND next_run_at <= $now`;

/** A failure of one workflow must not stop the others. */
async function orRetryLater(
  app: Infrastructure,
  id: string,
  now: Date,
  start: () => Promise<void>,
): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (isDatabaseDown(error)) throw error;
    app.log.warn({ err: error, workflow: id }, 'could not start a scheduled workflow');
    await POSTPONE.run(app.db.declared('acrossTenants'), { id, now });
  }
}

/**
 * The lock on the workflow and the occurrence's unique key each ensure that a time runs once. After downtime, the latest
 * missed time stands for all of them. A center over its storage quota, or with workflows turned off, misses its runs.
 */
async function startDue(
  app: Infrastructure,
  id: string,
  centerId: number,
  now: Date,
  enabled: boolean,
): Promise<void> {
  const mayRun = enabled && (await app.storage.fits(centerId, 0));
  const ctx = causedBy({ ...systemContext(app, 'schedule', centerId), now }, id);
  return transact(ctx, async (work) => {
    await work.db.$queryRaw`SELECT FROM workflow WHERE id = ${id} AND center_id = ${centerId} FOR UPDATE`;
    const workflow = await work.db.workflow.findFirst({
      where: { id, type: 'SCHEDULED', status: 'ACTIVE', deletedAt: null, nextRunAt: { lte: now } },
    });
    if (!workflow?.cron || !workflow.timezone || !workflow.nextRunAt) return;
    const { cron, timezone: zone, nextRunAt } = workflow;
    // The planned time is itself due, so the search starts just before it.
    const due = dueRun({ cron, zone, lastScheduledAt: new Date(nextRunAt.getTime() - 1), now });
    await work.db.workflow.update({ where: { id }, data: { nextRunAt: nextRun(cron, zone, now) } });
    if (!due || !mayRun) return;
    const { parametersSchema } = await work.db.workflowVersion.findUniqueOrThrow({
      where: { workflowId_version: { workflowId: id, version: workflow.version } },
    });
    await startExecution(ctx, work, {
      workflow,
      parameters: checkParameters(parametersSchema, {}),
      startedBy: 'schedule',
      occurrence: due.toISOString(),
    });
  });
}
