import type { Pool } from '../../db/database.ts';
import type { DeliveryKey } from './load.ts';

/** First attempts go before retries, and retries before what a busy endpoint could not take. Smaller runs first. */
export const PRIORITY = { first: 0, retry: 10, putOff: 20 } as const;

/**
 * A delivery keeps its own count of attempts; the queue's count only guards against jobs that crash, and must never be
 * what loses an event.
 */
export const DELIVERY_JOB = { task: 'deliver_webhook', maxAttempts: 1_000 } as const;

/** A delivery to come back to later, because its endpoint is busy. */
export interface PutOff extends DeliveryKey {
  delayMs: number;
}

/** Queues deliveries again without counting an attempt. */
export async function putOff(pool: Pool, deliveries: PutOff[]): Promise<undefined[]> {
  await pool.query({
    name: 'webhooks_put_off',
    text: `SELECT count(*) FROM graphile_worker.add_jobs((
             SELECT array_agg(ROW('${DELIVERY_JOB.task}',
                      json_build_object('webhookId', "webhookId", 'eventId', "eventId"), NULL,
                      now() + "delayMs" * interval '1 millisecond', ${DELIVERY_JOB.maxAttempts}, NULL,
                      ${PRIORITY.putOff}, NULL)::graphile_worker.job_spec)
             FROM json_to_recordset($1::json) AS d("webhookId" text, "eventId" text, "delayMs" float8)))`,
    values: [JSON.stringify(deliveries)],
  });
  return deliveries.map(() => undefined);
}
