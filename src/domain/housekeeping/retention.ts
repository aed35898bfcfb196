import type { Tx } from '../../db/database.ts';
import { type RowOf, sql } from '../../db/sql.ts';
import type { Infrastructure } from '../context.ts';
import { dropEventWeeks, expiringWeek } from './event-weeks.ts';
import { inBatches } from './sweep.ts';

const DAY_MS = 86_400_000;
/** Events per transaction, so that others do not wait long for its locks. */
const BATCH = 200;

/**
 * Deletes old event data: first whole weeks of events, deliveries and attempt logs if nothing in them is needed, then finished
 * deliveries and events individually, then the rest of deleted webhooks and of jobs that failed for good. None of it is
 * evidence: decisions, ledger, audit, checkpoints and payments are kept forever.
 */
export async function deleteOldEvents(app: Infrastructure, now: Date): Promise<number> {
  const { retentionDays } = app.config;
  if (retentionDays === 0) return 0;
  const before = new Date(now.getTime() - retentionDays * DAY_MS);
  await dropEventWeeks(app, before);
  return (
    (await deleteEvents(app, before)) +
    (await purgeDeletedWebhooks(app, before)) +
    (await deleteFailedJobs(app, before))
  );
}

/** Locked, so that no delivery is added in the meantime. Rows already locked are in use and wait for the next run. */
const LOCK_OLD_EVENTS = sql('lock_old_events', { id: 'text', createdAt: 'timestamptz' })`
  SELECT id, created_at AS "createdAt" FROM platform_event
  WHERE created_at < $before AND (created_at, id) > ($createdAt, $id) AND NOT (id >= $from AND id < $to)
  ORDER BY created_at, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
type Seen = RowOf<typeof LOCK_OLD_EVENTS>;

/**
 * Deletes what cannot be dropped with its week: events next to those that must stay, and those from before partitions existed.
 * Scans the old events once, oldest first, and skips those that must stay for now.
 */
async function deleteEvents(app: Infrastructure, before: Date): Promise<number> {
  const { db } = app;
  const [from, to] = await expiringWeek(app, before);
  let forgotten = 0;
  let last: Seen = { id: '', createdAt: new Date(0) };
  for (;;) {
    const after = last;
    const batch = await db.acrossTenants.$transaction(async (tx) => {
      const seen = await LOCK_OLD_EVENTS.rows(tx, { before, ...after, from, to });
      return { seen, gone: await deleteFinished(tx, before, seen) };
    });
    forgotten += batch.gone;
    if (batch.seen.length < BATCH) return forgotten;
    last = batch.seen.at(-1)!;
  }
}

async function deleteFinished(tx: Tx, before: Date, seen: Seen[]): Promise<number> {
  const ids = seen.map(({ id }) => id);
  // An old event may have been resent recently. Attempt logs are deleted with their deliveries.
  const deliveries = await tx.$executeRaw`
    DELETE FROM delivery
    WHERE event_id = ANY (${ids}) AND status <> 'pending' AND next_attempt_at IS NULL
      AND coalesce(last_attempt_at, created_at) < ${before}`;
  const events = await tx.$executeRaw`
    DELETE FROM platform_event e
    WHERE id = ANY (${ids})
      AND NOT EXISTS (SELECT FROM delivery d WHERE d.event_id = e.id)
      AND NOT EXISTS (
        SELECT FROM workflow_execution x WHERE x.started_by = e.id AND x.status IN ('RUNNING', 'AWAITING_REVIEW'))`;
  return deliveries + events;
}

const DELETED_WEBHOOKS = sql('deleted_webhooks', { id: 'text' })`
  SELECT id FROM webhook WHERE deleted_at < $before AND id > $last ORDER BY id LIMIT ${BATCH}`;
const PURGE_WEBHOOKS = sql('purge_webhooks')`
  DELETE FROM webhook WHERE id = ANY ($ids)
    AND id NOT IN (SELECT d.webhook_id FROM delivery d WHERE d.webhook_id = ANY ($ids))`;

/**
 * These can be deleted only after their deliveries. Deliveries are looked up by webhook: with the ids given, PostgreSQL uses
 * the index of each week, where a join might read every delivery.
 */
async function purgeDeletedWebhooks({ db }: Infrastructure, before: Date): Promise<number> {
  const everywhere = db.declared('acrossTenants');
  let forgotten = 0;
  for (let last = ''; ; ) {
    const ids = (await DELETED_WEBHOOKS.rows(everywhere, { before, last })).map(({ id }) => id);
    if (ids.length > 0) forgotten += await PURGE_WEBHOOKS.run(everywhere, { ids });
    if (ids.length < BATCH) return forgotten;
    last = ids.at(-1)!;
  }
}

const DELETE_FAILED_JOBS = sql('delete_failed_jobs')`
  SELECT graphile_worker.complete_jobs(ARRAY(
    SELECT id FROM graphile_worker.jobs
    WHERE attempts >= max_attempts AND locked_at IS NULL AND updated_at < $before LIMIT ${BATCH}))`;

function deleteFailedJobs({ db }: Infrastructure, before: Date): Promise<number> {
  return inBatches(BATCH, () => DELETE_FAILED_JOBS.run(db.pool, { before }));
}
