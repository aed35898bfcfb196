import type { Queryable } from '../../db/database.ts';
import { recordset } from '../../db/recordset.ts';
import { sql, type Transaction } from '../../db/sql.ts';
import { addJobs, jobSql, POSTPONED_PRIORITY } from '../../queue/enqueue.ts';
import { type DeliveryKey, eventBounds, inEventRange, keyColumns } from './load.ts';

/** First attempts run before retries, and retries before deliveries deferred by a busy endpoint. Smaller runs first. */
export const PRIORITY = { first: 0, retry: 10, postpone: POSTPONED_PRIORITY } as const;

/** SQL that adds a delivery's job, from SQL for its two ids, a time and a priority. */
export const deliveryJob = (webhookId: string, eventId: string, runAt: string, priority: string | number) =>
  jobSql('deliver_webhook', { payload: { webhookId, eventId }, runAt, priority });

/** A delivery that is deferred because its endpoint is busy. */
export interface PostponedDelivery extends DeliveryKey {
  delayMs: number;
}

const postponedColumns = recordset<PostponedDelivery>({
  webhookId: 'text',
  eventId: 'text',
  delayMs: 'float8',
});

const RUN_AT = `now() + d."delayMs" * interval '1 millisecond'`;
const PUT_OFF_DELIVERIES = sql('webhooks_put_off')`${addJobs(`
  SELECT ${deliveryJob('d."webhookId"', 'd."eventId"', RUN_AT, PRIORITY.postpone)}
  FROM ${postponedColumns.from('deliveries')} d`)}`;

/** Queues deliveries again without counting an attempt. */
export async function postpone(db: Queryable, deliveries: PostponedDelivery[]): Promise<undefined[]> {
  await PUT_OFF_DELIVERIES.run(db, { deliveries: postponedColumns.values(deliveries) });
  return deliveries.map(() => undefined);
}

const QUEUE_NOW = sql('webhooks_queue_now')`
  WITH chosen AS (
    SELECT d.webhook_id, d.event_id, d.next_attempt_at IS NULL OR d.next_attempt_at > now() AS idle
    FROM delivery d
    JOIN ${keyColumns.from('keys')} k ON d.webhook_id = k."webhookId" AND d.event_id = k."eventId"
    WHERE ${inEventRange('d.event_id')}
    ORDER BY d.webhook_id, d.event_id
    FOR UPDATE OF d
  ), updated AS (
    UPDATE delivery d SET round = 0, next_attempt_at = CASE WHEN c.idle THEN now() ELSE d.next_attempt_at END
    FROM chosen c WHERE d.webhook_id = c.webhook_id AND d.event_id = c.event_id AND ${inEventRange('d.event_id')}
  )
  ${addJobs(`SELECT ${deliveryJob('c.webhook_id', 'c.event_id', 'now()', '$priority::int')} FROM chosen c WHERE c.idle`)}`;

const KEEP_OLD_EVENTS = sql('keep_old_events')`
  SELECT pg_advisory_xact_lock_shared(hashtext('countersign.forget_events'))`;

/**
 * Prevents weeks of old events from being dropped until the transaction ends: drop_event_week takes the same lock. Must come
 * before any other statement on events, because the drop would wait for that statement's table locks.
 */
export async function keepOldEvents(tx: Transaction): Promise<void> {
  await KEEP_OLD_EVENTS.run(tx, {});
}

/**
 * Makes deliveries due immediately, in the caller's transaction, and restarts their retry schedule. A delivery that is already
 * due has a job and gets no second one.
 */
export async function queueNow(tx: Transaction, keys: DeliveryKey[], priority: number): Promise<void> {
  await QUEUE_NOW.run(tx, { priority, ...eventBounds(keys), keys: keyColumns.values(keys) });
}
