import type pg from 'pg';

/** Pending decisions of a center with an input of this many bytes each, as rows that only readers see. */
export async function addLargeDecisions(
  superuser: pg.Pool,
  centerId: number,
  count: number,
  bytes: number,
): Promise<string[]> {
  const { rows } = await superuser.query<{ id: string }>(
    `INSERT INTO decision_event (id, center_id, evidence_id, dpu_id, source, status, awaits_approval, content, large, large_bytes, salts,
       content_hash, journal_index, by_kind, by_id)
     SELECT 'evt_' || s.tail, $1::int, 'evd_' || s.tail, 'dpu_' || s.tail, 'AGENT', 'recorded', true,
       jsonb_build_object('id', 'evt_' || s.tail, 'decisionId', 'dec_' || s.tail, 'type', 'agent_execution',
         'actor', jsonb_build_object('id', 'agent-1', 'type', 'ai_agent'), 'action', jsonb_build_object('type', 'refund.grant'),
         'tags', '[]'::jsonb, 'occurredAt', '2026-11-15T09:30:00.000Z'),
       -- Random text, which PostgreSQL cannot compress.
       json_build_object('action.input', json_build_object('text', left(
         (SELECT string_agg(encode(sha256((s.n::text || ':' || i)::bytea), 'base64'), '') FROM generate_series(1, $3::int / 44 + 1) i), $3::int))),
       $3::int + 32, '{}', repeat('0', 64), 0, 'api_key', 'key_1'
     FROM (SELECT n, 'a01k9zq2m' || $1::int::text || lpad(n::text, 12, '0') AS tail FROM generate_series(1, $2::int) n) s
     RETURNING id`,
    [centerId, count, bytes],
  );
  return rows.map(({ id }) => id);
}
