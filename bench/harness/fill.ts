import type { Stage } from './stage.ts';

const BATCH = 5_000;

/** Puts records with their DPUs on a chain of the stage's center, fast; gives up to 10,000 of their ids. */
export async function fillChain(
  stage: Stage,
  domain: 'platform' | 'proof',
  count: number,
): Promise<string[]> {
  const { pool } = stage.app.db;
  const made = await pool.query<{ id: number }>('SELECT ledger_chain_for($1, $2) AS id', [
    stage.centerId,
    domain,
  ]);
  const found = await pool.query<{ id: number; size: number }>(
    'SELECT id, size FROM ledger_chain WHERE id = $1',
    [made.rows[0]!.id],
  );
  const chain = found.rows[0]!;
  for (let done = chain.size; done < count; done += BATCH) {
    await pool.query(
      `WITH appended AS (
         SELECT * FROM ledger_append($1, ARRAY(
           SELECT 'decision ' || n || ' ' || repeat('x', 200) FROM generate_series($2::int, $3::int) n), $4)
       )
       INSERT INTO dpu (id, center_id, chain_id, index, domain, vertical, evidence_level, actor_id)
       SELECT 'dpu_bench' || chain_id || '_' || lpad(index::text, 10, '0'), $5, chain_id, index, $6::chain_domain,
         'rehabilitation', 'DRAFT', 'bench'
       FROM appended`,
      [chain.id, done, Math.min(done + BATCH, count) - 1, new Date().toISOString(), stage.centerId, domain],
    );
  }
  await pool.query('VACUUM (ANALYZE) dpu');
  await pool.query('VACUUM (ANALYZE) ledger_record');
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM dpu WHERE chain_id = $1 ORDER BY index DESC LIMIT 10000',
    [chain.id],
  );
  return rows.map((row) => row.id);
}

const EVENT_BATCH = 10_000;

/** Puts decision events into the stage's center, with the counts that lists show. */
export async function fillEvents(stage: Stage, count: number, from = 0): Promise<void> {
  const { pool } = stage.app.db;
  for (let done = from; done < count; done += EVENT_BATCH) {
    await pool.query(
      `INSERT INTO decision_event (id, center_id, decision_id, evidence_id, dpu_id, type, status, actor_id, actor_type,
         action_type, action_input, tags, content_hash, occurred_at)
       SELECT 'evt_bench' || lpad(n::text, 12, '0'), $1, 'dec_bench' || n, 'evd_bench' || n, 'dpu_event' || n,
         (enum_range(NULL::decision_event_type))[1 + n % 8],
         (ARRAY['recorded', 'rejected'])[1 + n % 2]::decision_event_status,
         'bot-' || n % 100, 'ai_agent', 'appointment.move', '{"from": "Mon", "to": "Tue"}',
         ARRAY['tag-' || n % 50], repeat('0', 64), now()
       FROM generate_series($2::int, $3::int) n`,
      [stage.centerId, done, Math.min(done + EVENT_BATCH, count) - 1],
    );
  }
  await pool.query('VACUUM (ANALYZE) decision_event');
}
