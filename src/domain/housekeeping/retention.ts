import type { Tx } from '../../db/database.ts';
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

interface Seen {
  id: string;
  createdAt: Date;
}

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
      const seen = await lockOld(tx, before, after, [from, to]);
      return { seen, gone: await deleteFinished(tx, before, seen) };
    });
    forgotten += batch.gone;
    if (batch.seen.length < BATCH) return forgotten;
    last = batch.seen.at(-1)!;
  }
}

/** Locked, so that no delivery is added in the meantime. Rows already locked are in use and wait for the next run. */
function lockOld(tx: Tx, before: Date, last: Seen, [from, to]: [string, string]): Promise<Seen[]> {
  return tx.$queryRaw<Seen[]>`
    SELECT id, created_at AS "createdAt" FROM platform_event
    WHERE created_at < ${before} AND (created_at, id) > (${last.createdAt}, ${last.id})
      AND NOT (id >= ${from} AND id < ${to})
    ORDER BY created_at, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
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

/**
 * These can be deleted only after their deliveries. Deliveries are looked up by webhook: with the ids given, PostgreSQL uses
 * the index of each week, where a join might read every delivery.
 */
async function purgeDeletedWebhooks({ db }: Infrastructure, before: Date): Promise<number> {
  const everywhere = db.declared('acrossTenants');
  let forgotten = 0;
  for (let last = ''; ; ) {
    const { rows } = await everywhere.query<{ id: string }>(
      'SELECT id FROM webhook WHERE deleted_at < $1 AND id > $2 ORDER BY id LIMIT $3',
      [before, last, BATCH],
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) {
      const { rowCount } = await everywhere.query(
        `DELETE FROM webhook WHERE id = ANY ($1)
           AND id NOT IN (SELECT d.webhook_id FROM delivery d WHERE d.webhook_id = ANY ($1))`,
        [ids],
      );
      forgotten += rowCount ?? 0;
    }
    if (ids.length < BATCH) return forgotten;
    last = ids.at(-1)!;
  }
}

function deleteFailedJobs({ db }: Infrastructure, before: Date): Promise<number> {
  return inBatches(BATCH, () =>
    db.pool.query(
      `SELECT graphile_worker.complete_jobs(ARRAY(
         SELECT id FROM graphile_worker.jobs
         WHERE attempts >= max_attempts AND locked_at IS NULL AND updated_at < $1 LIMIT $2))`,
      [before, BATCH],
    ),
  );
}
