import type { Queryable } from '../../db/database.ts';
import { recordset } from '../../db/recordset.ts';
import { sql } from '../../db/sql.ts';
import type { OutboundResult } from '../../lib/outbound/exchange.ts';
import { addJobs } from '../../queue/enqueue.ts';
import { type DeliveryKey, eventBounds, inEventRange } from './load.ts';
import { deliveryJob, PRIORITY } from './queue.ts';

/** The result of a delivery attempt. */
export interface AttemptResult {
  ok: boolean;
  /** The endpoint asked to receive nothing more (410). */
  gone: boolean;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number;
  /** The number of seconds that the endpoint asked to wait. */
  retryAfter: number | null;
}

const LONGEST_RETRY_AFTER = 24 * 3_600;

export function attemptResult(answer: OutboundResult, now: Date): AttemptResult {
  const durationMs = Math.round(answer.durationMs);
  if (!answer.ok) {
    const error = `${answer.kind}: ${printable(answer.message)}`;
    return { ...nothing, error, durationMs };
  }
  const { status, headers } = answer;
  const asked = status === 429 || status === 503 ? headers['retry-after'] : undefined;
  return {
    ok: status >= 200 && status < 300,
    gone: status === 410,
    responseStatus: status,
    responseBody: printable(answer.body),
    error: null,
    durationMs,
    retryAfter: retryAfterSeconds(asked, now),
  };
}

const nothing = { ok: false, gone: false, responseStatus: null, responseBody: null, retryAfter: null };

/** Seconds or an HTTP date. Anything else is ignored. */
function retryAfterSeconds(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const value = header.trim();
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now.getTime()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), LONGEST_RETRY_AFTER);
}

/** PostgreSQL cannot store NUL in text. */
function printable(value: string): string {
  return value.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** A completed attempt. */
export interface Attempt extends DeliveryKey, AttemptResult {
  centerId: number;
  /** The number of the attempt, starting at 1. */
  number: number;
  startedAt: Date;
}

/** The webhook's state afterwards: since when every attempt has failed. */
interface WebhookState {
  failingSince: Date | null;
}

const attemptColumns = recordset<Attempt>({
  webhookId: 'text',
  eventId: 'text',
  number: 'int',
  ok: 'boolean',
  gone: 'boolean',
  responseStatus: 'int',
  responseBody: 'text',
  error: 'text',
  startedAt: 'timestamptz',
  durationMs: 'int',
  retryAfter: 'float8',
});

const RECORD = sql('webhooks_record_attempts', {
  id: 'text',
  failingSince: 'timestamptz?',
  count: 'bigint?',
})`
  WITH made AS (
    SELECT * FROM ${attemptColumns.from('attempts')} a
  ), updated AS (
    UPDATE delivery d
    SET status = (CASE WHEN a.ok THEN 'success' ELSE 'failed' END)::delivery_status,
        attempts = a.number, round = d.round + 1, response_status = a."responseStatus",
        last_attempt_at = a."startedAt",
        delivered_at = CASE WHEN a.ok THEN a."startedAt" ELSE d.delivered_at END,
        next_attempt_at = CASE WHEN NOT a.ok AND NOT a.gone AND d.round + 2 <= cardinality($delays::float8[])
          THEN now() + greatest(($delays::float8[])[d.round + 2], a."retryAfter") * interval '1 second' END
    FROM made a
    WHERE d.webhook_id = a."webhookId" AND d.event_id = a."eventId" AND d.attempts = a.number - 1
      AND ${inEventRange('d.event_id')}
    -- A row that was waited for comes as it is now: what was erased meanwhile is known here.
    RETURNING d.webhook_id, d.event_id, d.next_attempt_at, d.attempts, d.erased
  ), logged AS (
    INSERT INTO delivery_attempt
      (webhook_id, event_id, number, started_at, duration_ms, response_status, response_body, error)
    SELECT a."webhookId", a."eventId", a.number, a."startedAt", a."durationMs", a."responseStatus",
           CASE WHEN NOT u.erased THEN a."responseBody" END, a.error
    FROM made a JOIN updated u ON u.webhook_id = a."webhookId" AND u.event_id = a."eventId"
  ), summary AS (
    SELECT "webhookId" AS id, bool_or(ok) AS any_ok, min("startedAt") AS first_at, max("startedAt") AS last_at,
           (array_agg(ok ORDER BY "startedAt" DESC))[1] AS last_ok
    FROM made GROUP BY 1
  ), locked AS (
    -- In one order for everybody, so that two workers cannot deadlock.
    SELECT w.id FROM webhook w WHERE w.id IN (SELECT id FROM summary) ORDER BY w.id FOR NO KEY UPDATE
  ), hook AS (
    UPDATE webhook w
    SET last_delivery_at = s.last_at, last_delivery_status = CASE WHEN s.last_ok THEN 'success' ELSE 'failed' END,
        failing_since = CASE WHEN s.any_ok THEN NULL ELSE coalesce(w.failing_since, s.first_at) END
    FROM summary s JOIN locked l ON l.id = s.id
    WHERE w.id = s.id
    RETURNING w.id, w.failing_since
  ), retried AS (
    ${addJobs(`SELECT ${deliveryJob('u.webhook_id', 'u.event_id', 'u.next_attempt_at', PRIORITY.retry)}
               FROM updated u WHERE u.next_attempt_at IS NOT NULL`)}
  )
  SELECT id, failing_since AS "failingSince", (SELECT count FROM retried) FROM hook`;

/**
 * Records the results of attempts and queues the next ones, in one statement and therefore one transaction. An attempt that
 * another worker has already recorded (its job was taken over because this worker was considered dead) changes nothing.
 */
export async function recordAttempts(
  db: Queryable,
  delays: readonly number[],
  attempts: Attempt[],
): Promise<WebhookState[]> {
  const rows = await RECORD.rows(db, {
    delays,
    ...eventBounds(attempts),
    attempts: attemptColumns.values(attempts),
  });
  const byWebhook = new Map(rows.map((row) => [row.id, row]));
  return attempts.map(({ webhookId }) => ({ failingSince: byWebhook.get(webhookId)?.failingSince ?? null }));
}

/** A delivery that is no longer wanted gets no further attempts. */
export async function giveUp(db: Queryable, { webhookId, eventId }: DeliveryKey): Promise<void> {
  await db.query(
    `UPDATE delivery SET next_attempt_at = NULL, status = CASE status WHEN 'success' THEN status ELSE 'failed' END
     WHERE webhook_id = $1 AND event_id = $2`,
    [webhookId, eventId],
  );
}
