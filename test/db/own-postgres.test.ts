/** The operator's own PostgreSQL, on which the service has no superuser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readSettings } from '../../src/config.ts';
import type { EmbeddedPostgres } from '../../src/db/embedded/index.ts';
import { startThrowawayPostgres } from '../../src/db/embedded/throwaway.ts';
import { makeLog } from '../../src/lib/log.ts';
import { startProcess } from '../../src/process.ts';
import { sealDecision } from '../export/world.ts';
import { inDatabase, runAs } from '../helpers/server.ts';
import { makeCenter } from '../helpers/world.ts';

let server: EmbeddedPostgres;
const asAdmin = (sql: string) => runAs(server.adminUrl, sql);

beforeAll(async () => {
  server = await startThrowawayPostgres();
  // Like such a server, it has nothing prepared for the service.
  await asAdmin('DROP ROLE countersign_app');
});
afterAll(() => server.stop());

function addressOf(login: string, database: string): string {
  const address = new URL(inDatabase(server.adminUrl, database));
  address.username = login;
  address.password = login;
  return address.href;
}

/** A login that is not a superuser, and an unprepared database. */
async function makeLogin(name: string, options: string, database = true): Promise<void> {
  await asAdmin(`CREATE ROLE ${name} LOGIN PASSWORD '${name}' NOSUPERUSER ${options}`);
  if (database) await asAdmin(`CREATE DATABASE ${name} OWNER ${name} TEMPLATE template0`);
}

/** A worker is enough: it migrates and switches its role like the other processes. */
async function start(env: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'own-postgres-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const logged: string[] = [];
  const settings = readSettings({
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://proof.example',
    JWT_SECRET: 'wq3GdVYbzT0kS5vE8mRjN1xH7uLpCfA2',
    METRICS_TOKEN: 'sJ4nY8bT2cVq6LwR9dKe',
    ROLE: 'worker',
    DATA_DIR: dataDir,
    ...env,
  });
  const log = makeLog('info', { write: (line) => void logged.push(line) });
  const running = await startProcess(settings, null, log);
  onTestFinished(() => running.stop());
  return { running, logged: () => logged.join('') };
}

/** It works, and has no further privileges. */
async function expectBound({ running }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const { app } = running;
  const { rows } = await app.db.pool.query(
    `SELECT rolsuper OR rolbypassrls AS above, pg_has_role(current_user, 'countersign_app', 'MEMBER') AS bound,
       (SELECT proleakproof FROM pg_proc WHERE proname = 'enum_eq') AS leakproof
     FROM pg_roles WHERE rolname = current_user`,
  );
  // Only a superuser can mark an operator as leakproof; without it lists are slower, but nothing fails.
  expect(rows[0]).toEqual({ above: false, bound: true, leakproof: false });
  const center = await makeCenter(app);
  await sealDecision(app, center.id, 1);
  expect((await app.db.declared([center.id]).query('SELECT FROM ledger_record')).rowCount).toBeGreaterThan(0);
  expect((await app.db.pool.query('SELECT FROM ledger_record')).rowCount).toBe(0);
  for (const sql of ['DELETE FROM ledger_record', 'TRUNCATE dpu', 'ALTER TABLE dpu DISABLE TRIGGER ALL'])
    await expect(app.db.pool.query(sql)).rejects.toThrow(/permission denied|must be owner/);
}

test('a login without CREATEROLE gets the statements that an administrator has to run', async () => {
  await makeLogin('humble', '');
  const DATABASE_URL = addressOf('humble', 'humble');
  await expect(start({ DATABASE_URL })).rejects.toThrow('run CREATE ROLE countersign_app');
});

test('with one login the service migrates, switches to countersign_app, and logs a warning in production', async () => {
  await makeLogin('solo', 'CREATEROLE');
  const started = await start({ DATABASE_URL: addressOf('solo', 'solo') });
  const { rows } = await started.running.app.db.pool.query(
    'SELECT current_user AS now, session_user AS login',
  );
  expect(rows[0]).toEqual({ now: 'countersign_app', login: 'solo' });
  const said = started
    .logged()
    .split('\n')
    .filter((line) => line.includes('DATABASE_OWNER_URL is not set'));
  expect(said).toHaveLength(1);
  await expectBound(started);
});

test('with two logins the owner migrates and the other one serves', async () => {
  await makeLogin('master', '');
  await makeLogin('servant', '', false);
  const DATABASE_URL = addressOf('servant', 'master');
  const DATABASE_OWNER_URL = addressOf('master', 'master');
  await expect(start({ DATABASE_URL, DATABASE_OWNER_URL })).rejects.toThrow(
    'GRANT countersign_app TO "servant"',
  );
  await asAdmin('GRANT countersign_app TO servant');
  const started = await start({ DATABASE_URL, DATABASE_OWNER_URL });
  const { rows } = await started.running.app.db.pool.query('SELECT current_user AS now');
  expect(rows[0]).toEqual({ now: 'servant' });
  expect(started.logged()).not.toContain('DATABASE_OWNER_URL is not set');
  await expectBound(started);
  // The owner itself is not bound by its rules.
  await asAdmin('GRANT countersign_app TO master');
  const owner = { DATABASE_URL: DATABASE_OWNER_URL, DATABASE_OWNER_URL };
  await expect(start(owner)).rejects.toThrow('owns the tables');
});
