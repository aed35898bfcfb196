import { settle } from './settle.ts';
import type { Stage } from './stage.ts';

const BATCH = 10_000;

/**
 * Fills the stage's center with decision events up to that number, including the counts that lists show. Nine in ten are
 * sealed, each with the record of the same number on the platform chain, if there is one.
 */
export async function fillEvents(stage: Stage, count: number): Promise<void> {
  // Rows of a center are visible only if it is declared; the superuser sees them anyway.
  const pool = stage.admin;
  const { rows } = await pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM decision_event WHERE center_id = $1',
    [stage.centerId],
  );
  const from = rows[0]!.count;
  for (let done = from; done < count; done += BATCH) {
    await pool.query(
      `WITH filled AS (
         INSERT INTO decision_event (id, center_id, evidence_id, dpu_id, status, content, large, salts, content_hash,
           journal_index)
         SELECT 'evt_bench' || lpad(n::text, 12, '0'), $1, 'evd_bench' || n,
           CASE WHEN status = 'sealed' THEN 'dpu_bench' || chain || '_' || lpad(n::text, 10, '0') ELSE 'dpu_event' || n END,
           status, jsonb_build_object(
             'id', 'evt_bench' || lpad(n::text, 12, '0'), 'decisionId', 'dec_bench' || n,
             'type', (enum_range(NULL::decision_event_type))[1 + n % 8],
             'actor', jsonb_build_object('id', 'bot-' || n % 100, 'type', 'ai_agent'),
             'action', jsonb_build_object('type', 'appointment.move'), 'tags', ARRAY['tag-' || n % 50],
             'occurredAt', '2026-01-05T08:00:00.000Z'),
           '{"action.input": {"from": "Mon", "to": "Tue"}}', '{}', repeat('0', 64), n
         FROM generate_series($2::int, $3::int) n, ledger_chain_for($1, 'platform') chain,
           LATERAL (SELECT (CASE n % 10 WHEN 3 THEN 'recorded' WHEN 7 THEN 'rejected' ELSE 'sealed' END)::decision_event_status) s(status)
         RETURNING id, type, status, tags
       ), tagged AS (
         INSERT INTO decision_event_tag (center_id, tag, event_id)
         SELECT $1, tag, id FROM filled, unnest(tags) tag RETURNING tag
       )
       INSERT INTO tally_delta (key, delta)
       SELECT 'events:' || $1 || ':' || type || ':' || status, count(*) FROM filled GROUP BY type, status
       UNION ALL
       SELECT tag_tally($1, tag), count(*) FROM tagged GROUP BY tag`,
      [stage.centerId, done, Math.min(done + BATCH, count) - 1],
    );
  }
  if (from < count) await settle(stage, ['decision_event', 'decision_event_tag']);
}
