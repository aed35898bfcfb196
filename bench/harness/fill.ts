import type { Stage } from './stage.ts';

const BATCH = 5_000;

/** Puts records with their DPUs on a chain of the stage's center, fast; gives up to 10,000 of their ids. */
export async function fillChain(
  stage: Stage,
  domain: 'platform' | 'proof',
  count: number,
): Promise<string[]> {
  const { pool } = stage.app.db;
  const { rows: chains } = await pool.query<{ id: number; size: number }>(
    'SELECT id, size FROM ledger_chain WHERE id = ledger_chain_for($1, $2)',
    [stage.centerId, domain],
  );
  const chain = chains[0]!;
  for (let done = chain.size; done < count; done += BATCH) {
    await pool.query(
      `WITH appended AS (
         SELECT * FROM ledger_append($1, ARRAY(
           SELECT 'decision ' || n || ' ' || repeat('x', 200) FROM generate_series($2::int, $3::int) n), $4)
       ), dpus AS (
         INSERT INTO dpu (id, center_id, chain_id, index, domain, vertical, evidence_level, actor_id)
         SELECT 'dpu_bench' || $1 || '_' || lpad(index::text, 10, '0'), $5, chain_id, index, $6, 'rehabilitation', 'DRAFT', 'bench'
         FROM appended
       )
       INSERT INTO tally_delta (key, delta) SELECT 'bench:' || $6, count(*) FROM appended`,
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
