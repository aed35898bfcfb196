// What people and chats are still to be told. A notice is a row; the next mail or message contains it.
import type { PoolClient } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type Context, currentCenterId, type Infrastructure } from '../context.ts';
import type { NeededApproval } from './approvers.ts';
import { MAX_COUNTED } from './waiting-for.ts';

/**
 * A person has at most about `MAX_COUNTED` notices without a mail, however many requests an agent records. The next mail then
 * lists everything that waits.
 */
const NOTE_PEOPLE = sql('note_people')`
  WITH new AS (SELECT * FROM unnest($eventIds::text[], $actorIds::uuid[]) AS n(event_id, actor_id)),
  busy AS (
    SELECT p.actor_id FROM (SELECT DISTINCT actor_id FROM new) p
    WHERE (SELECT count(*) FROM (
      SELECT FROM decision_notice d WHERE d.actor_id = p.actor_id AND d.mail_id IS NULL LIMIT ${MAX_COUNTED}) d) >= ${MAX_COUNTED})
  INSERT INTO decision_notice (event_id, actor_id, occasion, center_id, created_at)
  SELECT event_id, actor_id, $occasion::notice_occasion, $centerId, $now FROM new
  WHERE actor_id NOT IN (SELECT actor_id FROM busy)
  ON CONFLICT DO NOTHING`;

export async function notePeople(
  client: PoolClient,
  ctx: Context,
  occasion: 'WAITING' | 'REMINDER',
  needed: readonly NeededApproval[],
): Promise<void> {
  const pairs = needed.flatMap(({ eventId, actorIds }) => actorIds.map((actorId) => ({ eventId, actorId })));
  if (pairs.length === 0) return;
  await NOTE_PEOPLE.run(client, {
    eventIds: pairs.map(({ eventId }) => eventId),
    actorIds: pairs.map(({ actorId }) => actorId),
    occasion,
    centerId: currentCenterId(ctx),
    now: ctx.now.toISOString(),
  });
}

const NOTE_CHATS = sql('note_chats')`
  INSERT INTO chat_notice (channel_id, event_id, occasion, center_id, created_at)
  SELECT c.id, e.id, $occasion::chat_occasion, c.center_id, $now FROM chat_channel c JOIN decision_event e ON e.center_id = c.center_id
  WHERE e.id = ANY ($eventIds) AND c.center_id = $centerId AND c.created_at <= e.updated_at
  ON CONFLICT DO NOTHING`;

export async function noteChats(
  client: PoolClient,
  ctx: Context,
  occasion: 'WAITING' | 'DECIDED',
  eventIds: readonly string[],
): Promise<void> {
  if (eventIds.length === 0) return;
  await NOTE_CHATS.run(client, {
    eventIds,
    occasion,
    now: ctx.now.toISOString(),
    centerId: currentCenterId(ctx),
  });
}

const NOTE_QUESTION = sql('note_question')`
  INSERT INTO question_notice (execution_id, position, actor_id, center_id, created_at)
  SELECT s.execution_id, s.position, m.actor_id, e.center_id, $now
  FROM workflow_step_run s
  JOIN workflow_execution e ON e.id = s.execution_id AND e.center_id = $centerId AND e.status = 'AWAITING_REVIEW'
  JOIN membership m ON m.center_id = e.center_id AND m.status = 'ACTIVE'
  JOIN actor a ON a.id = m.actor_id AND a.suspended_at IS NULL
  LEFT JOIN notification_setting n ON n.actor_id = m.actor_id
  WHERE s.execution_id = $executionId AND s.status = 'WAITING' AND s.kind = 'human_review'
    AND (s.input -> 'roles')::jsonb ? m.role::text
    AND coalesce(n.mail, 'IMMEDIATELY') = 'IMMEDIATELY'
  ON CONFLICT DO NOTHING`;

/** Notifies the people who can answer the question of an execution. */
export async function noteQuestion(
  { db }: Infrastructure,
  { centerId, executionId }: { centerId: number; executionId: string },
  now: Date,
): Promise<void> {
  await NOTE_QUESTION.run(db.declared('acrossTenants'), {
    centerId,
    executionId,
    now: now.toISOString(),
  });
}
