import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { loginOf } from '../../src/db/logins.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type TestDatabase, testDatabase } from '../helpers/database.ts';

const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/** A database of an earlier release: the rows of each table as JSON text, and the files beside it. */
export interface DatabaseFixture {
  tables: Record<string, string>;
  files: Record<string, string>;
}

export const readFixture = <T extends DatabaseFixture>(name: string): T =>
  JSON.parse(gunzipSync(readFileSync(new URL(`./fixtures/${name}.json.gz`, import.meta.url))).toString());

/** A database as it was before a migration, with the rows and files of the fixture; migrated to the current release. */
export async function upgradedDatabase(
  { tables, files }: DatabaseFixture,
  migration: string,
): Promise<TestDatabase> {
  const database = await testDatabase({ empty: true });
  const login = loginOf(database.url);
  const folder = mkdtempSync(join(tmpdir(), 'countersign-migrations-'));
  try {
    for (const name of readdirSync(MIGRATIONS)) {
      if (name < migration) cpSync(join(MIGRATIONS, name), join(folder, name), { recursive: true });
    }
    await migrate(database.ownerUrl, { login, folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
  await load(database.adminUrl, tables);
  for (const [name, text] of Object.entries(files)) {
    const path = join(database.dataDir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  await migrate(database.ownerUrl, { login });
  return database;
}

const COLUMNS = `
  SELECT c.relname AS table, a.attname AS name,
         pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS sequence
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'
    AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''`;

/** Replaces all rows, without triggers: what they would write is among the rows. */
async function load(adminUrl: string, tables: Record<string, string>): Promise<void> {
  const client = new pg.Client(adminUrl);
  await client.connect();
  try {
    await client.query('BEGIN; SET LOCAL session_replication_role = replica');
    const { rows } = await client.query<{ table: string; name: string; sequence: string | null }>(COLUMNS);
    const columns = Map.groupBy(rows, ({ table }) => table);
    await client.query(`TRUNCATE ${[...columns.keys()].join()}`);
    for (const [table, text] of Object.entries(tables)) {
      const names = columns.get(table)!.map(({ name }) => `"${name}"`);
      await client.query(
        `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
         SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1)`,
        [text],
      );
    }
    for (const { table, name, sequence } of rows) {
      if (sequence) await client.query(`SELECT setval('${sequence}', max("${name}")) FROM ${table}`);
    }
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
