import { payloadsSql } from '../../db/internals/graphile-worker.ts';
import { sql } from '../../db/sql.ts';
import { addJobs } from '../../queue/enqueue.ts';
import type { Infrastructure } from '../context.ts';
import { type DeliveryKey, keyColumns } from './load.ts';
import { deliveryJob, PRIORITY } from './queue.ts';

/** Rows read per statement. There is no index for this, because every attempt would have to maintain it. */
const PAGE = 20_000;
/** By then a due delivery has been picked up, or waits in a backlog with its job. */
const OVERDUE = '10 minutes';

const OVERDUE_PAGE = sql('deliveries_overdue', { webhookId: 'text', eventId: 'text', overdue: 'boolean?' })`
  SELECT webhook_id AS "webhookId", event_id AS "eventId", next_attempt_at < now() - interval '${OVERDUE}' AS overdue
  FROM delivery WHERE (webhook_id, event_id) > ($webhookId, $eventId) ORDER BY webhook_id, event_id LIMIT ${PAGE}`;

/** EXCEPT reads the queue once, however many are overdue. Jobs that failed for good do not count. */
const REQUEUE = sql(
  'requeue_deliveries',
)`${addJobs(`SELECT ${deliveryJob('lost."webhookId"', 'lost."eventId"', 'now()', PRIORITY.retry)} FROM (
    SELECT k."webhookId", k."eventId" FROM ${keyColumns.from('keys')} k
    EXCEPT
    SELECT j.payload ->> 'webhookId', j.payload ->> 'eventId' FROM ${payloadsSql('deliver_webhook')} j) lost`)}`;

/**
 * Requeues deliveries that are long overdue and have no job. A delivery and its next job are always written in one
 * transaction.
 */
export async function requeueLostDeliveries(app: Infrastructure): Promise<void> {
  const db = app.db.declared('acrossTenants');
  let after: DeliveryKey = { webhookId: '', eventId: '' };
  for (;;) {
    const rows = await OVERDUE_PAGE.rows(db, { webhookId: after.webhookId, eventId: after.eventId });
    const overdue = rows.filter((row) => row.overdue);
    if (overdue.length > 0) await REQUEUE.run(db, { keys: keyColumns.values(overdue) });
    if (rows.length < PAGE) return;
    after = rows.at(-1)!;
  }
}
