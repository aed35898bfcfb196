import { hash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { newId } from '../../src/lib/ids.ts';

async function inTransaction(pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

const INSERT_DPU = {
  name: 'bench_dpu',
  text: `INSERT INTO dpu (id, center_id, chain_id, index, domain, vertical, evidence_level, actor_id)
         VALUES ($1, $2, $3, $4, 'platform', 'rehabilitation', 'DRAFT', 'bench')`,
};

/** The naive append: locks the head row for each entry, from reading it to the commit. */
export function naiveAppend(pool: Pool, centerId: number, chainId: number, content: string): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ size: number; head_hash: string | null }>({
      name: 'bench_head',
      text: 'SELECT size, head_hash FROM ledger_chain WHERE id = $1 FOR UPDATE',
      values: [chainId],
    });
    const { size, head_hash: previous } = rows[0]!;
    const timestamp = new Date().toISOString();
    const digest = hash('sha256', content + (previous ?? '') + timestamp);
    await client.query({
      name: 'bench_record',
      text: `INSERT INTO ledger_record (chain_id, index, content, previous_hash, hash, timestamp)
             VALUES ($1, $2, $3, $4, $5, $6)`,
      values: [chainId, size, content, previous, digest, timestamp],
    });
    await client.query({ ...INSERT_DPU, values: [newId('dpu'), centerId, chainId, size] });
    await client.query({
      name: 'bench_head_up',
      text: 'UPDATE ledger_chain SET size = size + 1, head_hash = $2 WHERE id = $1',
      values: [chainId, digest],
    });
  });
}

/** The same rows in tables without chain, order or guard. */
export const UNCHAINED_TABLES = `
  CREATE TABLE bench_record (LIKE ledger_record INCLUDING DEFAULTS);
  ALTER TABLE bench_record ADD COLUMN id bigserial PRIMARY KEY;
  CREATE TABLE bench_dpu (LIKE dpu INCLUDING DEFAULTS INCLUDING INDEXES);
  ALTER TABLE bench_dpu DROP CONSTRAINT IF EXISTS bench_dpu_chain_id_index_key;
  DROP INDEX IF EXISTS bench_dpu_chain_id_index_idx;
`;

export function unchainedInsert(pool: Pool, centerId: number, content: string): Promise<void> {
  const timestamp = new Date().toISOString();
  const digest = hash('sha256', content + timestamp);
  return inTransaction(pool, async (client) => {
    await client.query({
      name: 'bench_free_record',
      text: `INSERT INTO bench_record (chain_id, index, content, previous_hash, hash, timestamp)
             VALUES ($1, 0, $2, $3, $3, $4)`,
      values: [centerId, content, digest, timestamp],
    });
    await client.query({
      name: 'bench_free_dpu',
      text: INSERT_DPU.text.replace('INTO dpu', 'INTO bench_dpu'),
      values: [newId('dpu'), centerId, centerId, 0],
    });
  });
}
