import type { Pool } from '../../db/database.ts';
import { sqlIn, type Transaction } from '../../db/sql.ts';
import type { DeliveryKey } from './load.ts';

/** First attempts go before retries, and retries before what a busy endpoint could not take. Smaller runs first. */
export const PRIORITY = { first: 0, retry: 10, putOff: 20 } as const;

/**
 * A delivery keeps its own count of attempts; the queue's count only guards against jobs that crash, and must never be
 * what loses an event.
 */
export const DELIVERY_JOB = { task: 'deliver_webhook', maxAttempts: 1_000 } as const;

/** The SQL that makes the job of a delivery from its two ids, a time and a priority. */
export const jobSpec = (webhookId: string, eventId: string, runAt: string, priority: string | number) =>
  `ROW('${DELIVERY_JOB.task}', json_build_object('webhookId', ${webhookId}, 'eventId', ${eventId}), NULL, ${runAt},
       ${DELIVERY_JOB.maxAttempts}, NULL, ${priority}, NULL)::graphile_worker.job_spec`;

/** A delivery to come back to later, because its endpoint is busy. */
export interface PutOff extends DeliveryKey {
  delayMs: number;
}

/** Queues deliveries again without counting an attempt. */
export async function putOff(pool: Pool, deliveries: PutOff[]): Promise<undefined[]> {
  const runAt = `now() + d."delayMs" * interval '1 millisecond'`;
  await pool.query({
    name: 'webhooks_put_off',
    text: `SELECT count(*) FROM graphile_worker.add_jobs((
             SELECT array_agg(${jobSpec('d."webhookId"', 'd."eventId"', runAt, PRIORITY.putOff)})
             FROM json_to_recordset($1::json) AS d("webhookId" text, "eventId" text, "delayMs" float8)))`,
    values: [JSON.stringify(deliveries)],
  });
  return deliveries.map(() => undefined);
}

/**
 * Makes deliveries due at once, in the caller's transaction, with the whole schedule before them. One that is due
 * already has its job and gets no second one.
 */
export async function queueNow(tx: Transaction, keys: DeliveryKey[], priority: number): Promise<void> {
  await sqlIn(tx).run({
    name: 'webhooks_queue_now',
    text: `
      WITH chosen AS (
        SELECT d.webhook_id, d.event_id, d.next_attempt_at IS NULL OR d.next_attempt_at > now() AS idle
        FROM delivery d
        JOIN json_to_recordset($1::json) AS k("webhookId" text, "eventId" text)
          ON d.webhook_id = k."webhookId" AND d.event_id = k."eventId"
        ORDER BY d.webhook_id, d.event_id
        FOR UPDATE OF d
      ), updated AS (
        UPDATE delivery d SET round = 0, next_attempt_at = CASE WHEN c.idle THEN now() ELSE d.next_attempt_at END
        FROM chosen c WHERE d.webhook_id = c.webhook_id AND d.event_id = c.event_id
      )
      SELECT count(*) FROM graphile_worker.add_jobs((
        SELECT array_agg(${jobSpec('c.webhook_id', 'c.event_id', 'now()', '$2::int')}) FROM chosen c WHERE c.idle))`,
    values: [JSON.stringify(keys), priority],
  });
}
