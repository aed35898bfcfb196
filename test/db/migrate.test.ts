import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { currentModels, sqlBetween } from '../../scripts/models.ts';
import { migrate, pendingMigrations } from '../../src/db/migrate.ts';
import { testDatabase } from '../helpers/database.ts';
import { runAs } from '../helpers/server.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-migrations-'));
  writeFileSync(join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n');
});

afterEach(() => rmSync(folder, { recursive: true }));

async function database() {
  return (await testDatabase({ empty: true })).ownerUrl;
}

function write(name: string, sql: string) {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

async function pending(url: string) {
  const client = new pg.Client(url);
  await client.connect();
  return pendingMigrations(client, folder).finally(() => client.end());
}

test('applies each migration once, even if several processes start concurrently', async () => {
  write('20260101000000_first', 'CREATE TABLE first_table (id int); INSERT INTO first_table VALUES (1);');
  write('20260102000000_second', 'INSERT INTO first_table VALUES (2);');
  const url = await database();
  expect(await pending(url)).toEqual(['20260101000000_first', '20260102000000_second']);

  const applied = await Promise.all(Array.from({ length: 6 }, () => migrate(url, { folder })));

  expect(applied.filter((names) => names.length > 0)).toEqual([
    ['20260101000000_first', '20260102000000_second'],
  ]);
  expect((await runAs(url, 'SELECT id FROM first_table ORDER BY id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await pending(url)).toEqual([]);
});

test('a later migration is applied on top of the earlier ones', async () => {
  write('20260101000000_first', 'CREATE TABLE first_table (id int);');
  const url = await database();
  await migrate(url, { folder });
  write('20260102000000_second', 'ALTER TABLE first_table ADD COLUMN name text;');
  expect(await pending(url)).toEqual(['20260102000000_second']);
  expect(await migrate(url, { folder })).toEqual(['20260102000000_second']);
});

test('semicolons in function bodies and strings do not split a statement', async () => {
  write(
    '20260101000000_function',
    `CREATE FUNCTION twice(n int) RETURNS int LANGUAGE plpgsql AS $$
     DECLARE result int; BEGIN result := n * 2; RETURN result; END $$;
     COMMENT ON FUNCTION twice IS 'one; two'; -- and; three`,
  );
  const url = await database();
  await migrate(url, { folder });
  expect((await runAs(url, 'SELECT twice(21) AS answer')).rows).toEqual([{ answer: 42 }]);
});

test('a failing migration is reported and rolled back, and retried at the next start', async () => {
  write('20260101000000_good', 'CREATE TABLE good (id int);');
  write('20260102000000_bad', 'CREATE TABLE half (id int); SELECT nonsense;');
  const url = await database();

  await expect(migrate(url, { folder })).rejects.toThrow(
    /Migration 20260102000000_bad failed: column "nonsense" does not exist/,
  );
  expect((await runAs(url, `SELECT to_regclass('good') AS good, to_regclass('half') AS half`)).rows).toEqual([
    { good: 'good', half: null },
  ]);
  await expect(migrate(url, { folder })).rejects.toThrow(/Migration 20260102000000_bad failed: column/);

  write('20260102000000_bad', 'CREATE TABLE half (id int);');
  expect(await migrate(url, { folder })).toEqual(['20260102000000_bad']);
});

test('a migration that fails after committing a part blocks later runs', async () => {
  write('20260101000000_split', 'CREATE TABLE kept (id int);\nCOMMIT;\nSELECT nonsense;');
  const url = await database();
  await expect(migrate(url, { folder })).rejects.toThrow(/20260101000000_split failed: /);
  await expect(migrate(url, { folder })).rejects.toThrow(
    /failed earlier, and a part of it may have been kept/,
  );
});

test('a database with changed or renamed migrations is rejected and left unchanged', async () => {
  write('20260101000000_model', 'CREATE TABLE first_table (id int);');
  const url = await database();
  await migrate(url, { folder });
  const name = new URL(url).pathname.slice(1);
  const tables = async () =>
    (await runAs(url, `SELECT relname FROM pg_class WHERE relkind = 'r' ORDER BY 1`)).rows;
  const before = await tables();
  write('20260102000000_rules', 'CREATE TABLE second_table (id int);');

  // The same name with another text.
  write('20260101000000_model', 'CREATE TABLE first_table (id bigint);');
  await expect(migrate(url, { folder })).rejects.toThrow(
    new RegExp(`^The database ${name} at .* 20260101000000_model is not the one of now.* left as it is`),
  );

  // Another name, as before migrations were squashed.
  rmSync(join(folder, '20260101000000_model'), { recursive: true });
  write('20260101000001_model', 'CREATE TABLE first_table (id int);');
  await expect(migrate(url, { folder })).rejects.toThrow(/20260101000000_model is not the one of now/);
  expect(await tables()).toEqual(before);
});

test('a database migrated by a later release is accepted', async () => {
  write('20260101000000_model', 'CREATE TABLE first_table (id int);');
  write('20260102000000_later', 'ALTER TABLE first_table ADD COLUMN name text;');
  const url = await database();
  await migrate(url, { folder });
  rmSync(join(folder, '20260102000000_later'), { recursive: true });
  expect(await migrate(url, { folder })).toEqual([]);
});

/**
 * Migrations run in the order of their names. These pairs were written at the same time by chance. They keep their names,
 * because databases and `prisma migrate deploy` know them by name.
 */
const SHARED_TIMESTAMPS = ['20261117190000', '20261117230000'];

test('a new migration has its own timestamp, so its place in the order is chosen', () => {
  const folder = new URL('../../prisma/migrations', import.meta.url);
  const timestamps = readdirSync(folder).map((name) => name.split('_')[0]!);
  const shared = timestamps.filter((timestamp, n) => timestamps.indexOf(timestamp) !== n);
  expect(shared.sort()).toEqual(SHARED_TIMESTAMPS);
});

/**
 * Columns, enums and indexes, one line each. Generated columns are omitted, because models cannot express them, and foreign
 * keys, because the migrations replace several of them by statement triggers.
 */
async function structure(url: string) {
  const lines = async (sql: string) => (await runAs(url, sql)).rows.map(({ line }) => String(line)).sort();
  const columns = (generated: string) =>
    lines(
      `SELECT concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'NOT NULL' END) AS line
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated ${generated}
         AND c.relname <> '_prisma_migrations'`,
    );
  return {
    columns: await columns(`= ''`),
    generated: await columns(`<> ''`),
    enums: await lines(
      `SELECT concat_ws(' ', t.typname, e.enumlabel) AS line FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid
       WHERE t.typnamespace = 'public'::regnamespace`,
    ),
    indexes: await lines(
      `SELECT replace(indexdef, ' ON ONLY ', ' ON ') AS line FROM pg_indexes WHERE schemaname = 'public'`,
    ),
  };
}

test('the migrations produce the schema of the models; if not: npm run migration -- NAME', async () => {
  const modelled = await database();
  await runAs(modelled, await sqlBetween(modelled, null, currentModels()));
  const [said, made] = [await structure(modelled), await structure((await testDatabase()).ownerUrl)];
  // A model may name generated columns, but cannot say that they are generated.
  expect(made.columns).toEqual(said.columns.filter((line) => !made.generated.includes(line)));
  expect(made.enums).toEqual(said.enums);
  // Migrations add indexes that models cannot express.
  expect(said.indexes.filter((line) => !made.indexes.includes(line))).toEqual([]);
});
