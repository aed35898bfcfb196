/** Chains for tests: records appended by the database's own function, and history changed by a superuser. */
import pg from 'pg';
import type { App } from '../../src/app.ts';
import type { ChainDomain } from '../../src/db/generated/prisma/enums.ts';
import { makeCenter } from '../helpers/world.ts';

const BATCH = 1_000;

export async function appendRecords(app: App, chainId: number, contents: string[]): Promise<void> {
  for (let at = 0; at < contents.length; at += BATCH) {
    await app.db
      .declared('acrossTenants')
      .query('SELECT count(*) FROM ledger_append($1, $2, $3)', [
        chainId,
        contents.slice(at, at + BATCH),
        new Date().toISOString(),
      ]);
  }
}

export async function makeChain(app: App, records: number, domain: ChainDomain = 'platform') {
  const center = await makeCenter(app);
  const { rows } = await app.db
    .declared('acrossTenants')
    .query<{ id: number }>('SELECT ledger_chain_for($1, $2) AS id', [center.id, domain]);
  const chainId = rows[0]!.id;
  await appendRecords(app, chainId, numbered(0, records));
  return { center, chainId };
}

export function numbered(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `record ${from + i}: Größe ✓`);
}

export async function recordHashes(app: App, chainId: number): Promise<Buffer[]> {
  const { rows } = await app.db
    .declared('acrossTenants')
    .query<{ hash: string }>('SELECT hash FROM ledger_record WHERE chain_id = $1 ORDER BY index', [chainId]);
  return rows.map(({ hash }) => Buffer.from(hash, 'hex'));
}

/** Only for superusers: the triggers that guard the ledger do not fire. */
export async function tamper(adminUrl: string, ...statements: [sql: string, values?: unknown[]][]) {
  const client = new pg.Client(adminUrl);
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    for (const [sql, values] of statements) await client.query(sql, values ?? []);
  } finally {
    await client.end();
  }
}

/** Rewrites a chain from an index on with consistent hashes and links, as a forger would. */
export async function rewriteFrom(adminUrl: string, chainId: number, index: number) {
  await tamper(adminUrl, [
    `DO $$
     DECLARE r record; previous text; fresh text;
     BEGIN
       SELECT hash INTO previous FROM ledger_record WHERE chain_id = ${chainId} AND index = ${index - 1};
       FOR r IN SELECT * FROM ledger_record WHERE chain_id = ${chainId} AND index >= ${index} ORDER BY index LOOP
         fresh := encode(sha256(convert_to('forged ' || r.content || coalesce(previous, '') || r.timestamp, 'UTF8')), 'hex');
         UPDATE ledger_record SET content = 'forged ' || r.content, previous_hash = previous, hash = fresh
         WHERE chain_id = r.chain_id AND index = r.index;
         previous := fresh;
       END LOOP;
       UPDATE ledger_chain SET head_hash = previous WHERE id = ${chainId};
     END $$`,
  ]);
}

export async function cutTail(adminUrl: string, chainId: number, size: number) {
  await tamper(
    adminUrl,
    ['DELETE FROM ledger_record WHERE chain_id = $1 AND index >= $2', [chainId, size]],
    [
      `UPDATE ledger_chain SET size = $2, head_hash = (SELECT hash FROM ledger_record WHERE chain_id = $1 AND index = $2 - 1)
       WHERE id = $1`,
      [chainId, size],
    ],
  );
}
