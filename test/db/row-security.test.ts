import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutRowSecurity } from '../../src/db/tenancy.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { runAs } from '../helpers/server.ts';
import { proofStage } from '../proof/stage.ts';

let running: TestApp;
let ids: { mine: number; other: number };

beforeAll(async () => {
  running = await startTestApp();
  const [mine, other] = [await proofStage(running), await proofStage(running)];
  for (const stage of [mine, other]) {
    await stage.approve((await stage.record()).id);
    await stage.record();
  }
  ids = { mine: mine.center.id, other: other.center.id };
});
afterAll(() => running.close());

const asAdmin = async (sql: string) => (await runAs(running.database.adminUrl, sql)).rows;

test('every table has forced row-level security, or is listed as an exception with a reason', async () => {
  const tables = await asAdmin(
    `SELECT relname AS name FROM pg_class WHERE relnamespace IN ('public'::regnamespace, 'partitions'::regnamespace) AND relkind IN ('r', 'p')
       AND NOT (relrowsecurity AND relforcerowsecurity AND EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid))
     ORDER BY 1`,
  );
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(withoutRowSecurity).sort());
});

test('without declared centers the application sees no rows, with them only the rows of these centers', async () => {
  const secured = await asAdmin(
    `SELECT c.relname AS name, EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'center_id') AS owned
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relrowsecurity`,
  );
  for (const { name, owned } of secured) {
    // The platform's own policies are visible to all, and so are the sizes of its chains.
    const own = ['policy', 'ledger_chain'].includes(name) ? 'WHERE center_id IS NOT NULL' : '';
    if (name !== 'policy_version') {
      const { rows } = await running.app.db.pool.query(`SELECT count(*)::int AS n FROM ${name} ${own}`);
      expect([name, rows[0].n]).toEqual([name, 0]);
    }
    if (!owned) continue;
    const seen = await running.app.db
      .declared([ids.mine])
      .query(`SELECT DISTINCT center_id FROM ${name} WHERE center_id IS NOT NULL`);
    expect([[], [{ center_id: ids.mine }]], name).toContainEqual(seen.rows);
  }
  const count = async (centers: number[], table: string) =>
    (await running.app.db.declared(centers).query(`SELECT FROM ${table}`)).rowCount;
  for (const table of ['center', 'ledger_record', 'dpu', 'decision_event', 'approval', 'audit_entry']) {
    const [one, both] = [await count([ids.mine], table), await count([ids.mine, ids.other], table)];
    expect([table, one! > 0, both! > one!]).toEqual([table, true, true]);
  }
});

test('rows of another center can be neither inserted nor updated', async () => {
  const { db } = running.app;
  const [foreign] = (await db.declared([ids.other]).query('SELECT id FROM decision_event')).rows;
  const changed = await db
    .declared([ids.mine])
    .query('UPDATE decision_event SET updated_at = now() WHERE id = $1', [foreign!['id']]);
  expect(changed.rowCount).toBe(0);
  await expect(
    db
      .declared([ids.mine])
      .query(`INSERT INTO webhook (id, center_id, url, events, secret) VALUES ('whk_x', $1, '', '{}', '')`, [
        ids.other,
      ]),
  ).rejects.toThrow('row-level security');
});

describe('the application role is denied', () => {
  const SEALED = ['ledger_record', 'ledger_node', 'checkpoint', 'audit_entry', 'approval', 'policy_version'];
  test.each([
    ...SEALED.flatMap((table) => [
      `UPDATE ${table} SET ${table === 'ledger_node' || table === 'ledger_record' ? 'hash' : 'created_at'} = NULL`,
      `DELETE FROM ${table}`,
    ]),
    ...[...SEALED, 'ledger_chain', 'dpu', 'decision_event'].flatMap((table) => [
      `TRUNCATE ${table}`,
      `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
      `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`,
      `DROP TABLE ${table}`,
    ]),
    'DELETE FROM dpu',
    'DELETE FROM decision_event',
    'DELETE FROM ledger_chain',
    `UPDATE decision_event SET content = '{}', created_at = now() WHERE status = 'sealed'`,
    `UPDATE dpu SET evidence_level = 'DRAFT' WHERE sealed_at IS NOT NULL`,
    `UPDATE dpu SET index = 0`,
    'CREATE TABLE mine (id int)',
    'CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
    'SET session_replication_role = replica',
    'ALTER ROLE countersign_app BYPASSRLS',
  ])('%s', async (sql) => {
    await expect(runAs(running.database.url, `SET cs.centers = '*'; ${sql}`)).rejects.toThrow(
      /permission denied|must be owner|does not exist|is sealed|stays with its record/,
    );
  });
});
