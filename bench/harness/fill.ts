import { hash } from 'node:crypto';
import pg from 'pg';
import { settle } from './settle.ts';
import type { Stage } from './stage.ts';

const BATCH = 10_000;
/** Pads a record to about the size of a sealed decision. */
const PADDING = 'x'.repeat(600);

const INSERT_RECORDS = {
  name: 'fill_records',
  text: `INSERT INTO ledger_record (chain_id, index, content, previous_hash, hash, timestamp)
         SELECT $1, $2::int + place - 1, content, previous_hash, hash, $6
         FROM unnest($3::text[], $4::text[], $5::text[]) WITH ORDINALITY r(content, previous_hash, hash, place)`,
};

const INSERT_DPUS = {
  name: 'fill_dpus',
  text: `WITH counted AS (
           INSERT INTO tally_delta (key, delta)
           SELECT key, $4::int - $3::int
           FROM unnest(ARRAY['dpu:' || $2::int || ':DRAFT', 'dpu:level:DRAFT', 'dpu:vertical:rehabilitation']) key
         )
         INSERT INTO dpu (id, center_id, chain_id, index, domain, vertical, evidence_level, actor_id)
         SELECT 'dpu_bench' || $1 || '_' || lpad(n::text, 10, '0'), $2::int, $1::int, n, $5::text::chain_domain,
           'rehabilitation', 'DRAFT', 'bench'
         FROM generate_series($3::int, $4::int - 1) n`,
};

/** Their journal entries; each holds as many as those of the service. */
const INSERT_JOURNAL = {
  name: 'fill_journal',
  text: `WITH entry AS (
           SELECT d.index / 16 AS n, json_build_object('kind', 'dpu', 'born', json_agg(
             json_build_object('id', d.id, 'index', d.index, 'digest', dpu_digest(d), 'members', '{}'::json)))::text AS content
           FROM dpu d WHERE d.chain_id = $1 AND d.index >= $2::int AND d.index < $3::int GROUP BY 1
         ), noted AS (
           SELECT a.index, row_number() OVER (ORDER BY a.index) - 1 + $2::int / 16 AS n
           FROM ledger_append(ledger_chain_for($4, 'journal'), (SELECT array_agg(content ORDER BY n) FROM entry), $5) a
         )
         UPDATE dpu d SET journal_index = noted.index
         FROM noted WHERE d.chain_id = $1 AND d.index >= $2::int AND d.index < $3::int AND d.index / 16 = noted.n`,
};

/**
 * Adds records with their DPUs to a chain of the stage's center; returns up to 10,000 of their ids. They are hashed here and
 * written in bulk without looking up each reference: the rows are those that the service would have written.
 */
export async function fillChain(
  stage: Stage,
  domain: 'platform' | 'proof',
  count: number,
): Promise<string[]> {
  const { centerId } = stage;
  const writers = new pg.Pool({
    connectionString: stage.adminUrl,
    max: 2,
    options: '-c session_replication_role=replica -c synchronous_commit=off',
  });
  const chain = await chainOf(stage, domain);
  let head = chain.headHash;
  for (let from = chain.size; from < count; from += BATCH) {
    const to = Math.min(from + BATCH, count);
    const timestamp = new Date().toISOString();
    const [contents, previous, hashes]: [string[], (string | null)[], string[]] = [[], [], []];
    for (let n = from; n < to; n++) {
      const content = `decision ${n} ${PADDING}`;
      previous.push(head);
      head = hash('sha256', content + (head ?? '') + timestamp);
      contents.push(content);
      hashes.push(head);
    }
    await Promise.all([
      writers.query({ ...INSERT_RECORDS, values: [chain.id, from, contents, previous, hashes, timestamp] }),
      writers.query({ ...INSERT_DPUS, values: [chain.id, centerId, from, to, domain] }),
    ]);
    await writers.query('UPDATE ledger_chain SET size = $2, head_hash = $3 WHERE id = $1', [
      chain.id,
      to,
      head,
    ]);
    if (domain === 'platform') {
      await writers.query({ ...INSERT_JOURNAL, values: [chain.id, from, to, centerId, timestamp] });
    }
  }
  await writers.end();
  if (chain.size < count) await settle(stage, ['dpu', 'ledger_record']);
  const { rows } = await stage.admin.query<{ id: string }>(
    'SELECT id FROM dpu WHERE chain_id = $1 ORDER BY index DESC LIMIT 10000',
    [chain.id],
  );
  return rows.map((row) => row.id);
}

async function chainOf({ admin, centerId }: Stage, domain: string) {
  // Two statements: the one that creates the chain does not see it yet.
  await admin.query('SELECT ledger_chain_for($1, $2::text::chain_domain)', [centerId, domain]);
  const { rows } = await admin.query<{ id: number; size: number; headHash: string | null }>(
    `SELECT id, size, head_hash AS "headHash" FROM ledger_chain
     WHERE center_id = $1 AND domain = $2::text::chain_domain`,
    [centerId, domain],
  );
  return rows[0]!;
}
