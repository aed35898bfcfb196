import type { Announcement } from '../../db/bus.ts';
import { recordset } from '../../db/recordset.ts';
import { execute, type Statement, sql, type Transaction } from '../../db/sql.ts';
import { newId } from '../../lib/ids.ts';
import { traceParent } from '../../lib/tracing.ts';
import { addJobs, jobSql } from '../../queue/enqueue.ts';
import { type EventDraft, patternsFor } from './catalog.ts';

/** The topic for a center's events, with their id and type. */
export const eventsTopic = (centerId: number) => `events:${centerId}`;

/** The maximum length of a chain of workflows that trigger one another. */
const MOST_CAUSES = 3;

export type WrittenEvent = EventDraft & { id: string };

/**
 * Writes events and everything that follows from them in the caller's transaction, so that neither a change nor its event
 * exists without the other.
 */
export async function appendEvents(
  tx: Transaction,
  drafts: EventDraft[],
  now: Date,
): Promise<WrittenEvent[]> {
  const events = named(drafts);
  await execute(tx, eventsStatement(events, now));
  return events;
}

export const named = (drafts: EventDraft[]): WrittenEvent[] =>
  drafts.map((draft) => ({ id: newId('msg'), ...draft }));

/**
 * Inserts events, one delivery for each subscribed webhook, and the jobs that deliver them and start the triggered workflows.
 * The caller wakes the workers after its commit.
 */
export function eventsStatement(events: WrittenEvent[], now: Date): Statement {
  const trace = traceParent();
  const rows = events.map((event) => ({ trace, ...event, patterns: patternsFor(event.type) }));
  return APPEND.with({ now: now.toISOString(), events: draftColumns.values(rows) });
}

/** The bus messages that announce written events to other processes and subscriptions. */
export function announcements(events: WrittenEvent[]): Announcement[] {
  return events.map(({ id, type, centerId }) => ({ topic: eventsTopic(centerId), message: { id, type } }));
}

const draftColumns = recordset<WrittenEvent & { patterns: string[] }>({
  id: 'text',
  centerId: 'int',
  type: 'text',
  data: 'json',
  patterns: 'text[]',
  causes: 'text[]',
  trace: 'text',
});

const APPEND = sql('append_events')`
  WITH draft AS (
    SELECT * FROM ${draftColumns.from('events')} d
  ), event AS (
    INSERT INTO platform_event (id, center_id, type, data, created_at)
    SELECT id, "centerId", type, data, $now::timestamptz FROM draft
  ), delivery AS (
    INSERT INTO delivery (webhook_id, event_id, center_id, next_attempt_at, created_at)
    SELECT w.id, d.id, w.center_id, now(), $now::timestamptz
    FROM draft d
    JOIN webhook w ON w.center_id = d."centerId" AND w.active AND w.deleted_at IS NULL AND w.events && d.patterns
    RETURNING webhook_id, event_id
  ), due AS (
    SELECT v.webhook_id, v.event_id, d.trace FROM delivery v JOIN draft d ON d.id = v.event_id
  )
  ${addJobs(
    `
    SELECT ${jobSql('deliver_webhook', { payload: { webhookId: 'webhook_id', eventId: 'event_id' }, trace: 'trace' })}
    FROM due
    UNION ALL
    SELECT ${jobSql('start_event_workflows', { payload: { eventId: 'd.id', causes: "coalesce(d.causes, '{}')", centerId: 'd."centerId"' }, trace: 'd.trace' })}
    FROM draft d
    WHERE coalesce(cardinality(d.causes), 0) < ${MOST_CAUSES} AND EXISTS (
      SELECT FROM workflow w
      WHERE w.center_id = d."centerId" AND w.type = 'EVENT' AND w.status = 'ACTIVE' AND w.deleted_at IS NULL
        AND w.event_pattern = ANY (d.patterns) AND w.id <> ALL (coalesce(d.causes, '{}')))`,
    { quiet: true },
  )}`;
