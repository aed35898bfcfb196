import { expect, onTestFinished, test } from 'vitest';
import { type TestApp, testApp } from '../helpers/app.ts';
import { testDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/eventually.ts';
import { spawnServer } from '../helpers/process.ts';
import { relayTo } from '../helpers/relay.ts';
import { runAs } from '../helpers/server.ts';
import { makeStage } from '../helpers/world.ts';
import { decision } from '../proof/decisions.ts';

interface Way {
  what: string;
  path: string;
  with: 'token' | 'key';
  body?: object;
}

const reads: Way[] = [
  { what: 'platform', path: '/api/auth/me', with: 'token' },
  { what: 'proof', path: '/api/v1/decision-events', with: 'key' },
  {
    what: 'GraphQL',
    path: '/graphql',
    with: 'token',
    body: { query: '{ apiKeys { edges { node { id } } } }' },
  },
];
const createWebhook =
  'mutation { createWebhook(input: { url: "http://127.0.0.1:9/x", events: ["*"] }) { webhook { id } } }';
const writes: Way[] = [
  { what: 'platform', path: '/api/dpu/demo', with: 'token', body: {} },
  { what: 'proof', path: '/api/v1/decision-events', with: 'key', body: decision },
  { what: 'GraphQL', path: '/graphql', with: 'token', body: { query: createWebhook } },
];

type Callers = { token: string; key: string };

async function ask({ fetch }: TestApp, callers: Callers, way: Way) {
  const response = await fetch(way.path, {
    method: way.body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${callers[way.with]}`, 'content-type': 'application/json' },
    ...(way.body && { body: JSON.stringify(way.body) }),
  });
  return { response, body: (await response.json()) as { error?: { code: string }; errors?: Coded[] } };
}
type Coded = { extensions: { code: string } };

/** In both REST error formats and in GraphQL, callers are told to retry. */
async function expectUnavailable(running: TestApp, callers: Callers, ways: Way[]): Promise<void> {
  for (const way of ways) {
    const { response, body } = await ask(running, callers, way);
    const code = body.error?.code ?? body.errors?.[0]?.extensions.code;
    expect([way.what, response.status, code, response.headers.get('retry-after')]).toEqual([
      way.what,
      503,
      'SERVICE_UNAVAILABLE',
      '1',
    ]);
  }
}

async function expectServed(running: TestApp, callers: Callers, ways: Way[]): Promise<void> {
  for (const way of ways) {
    await eventually(async () => (await ask(running, callers, way)).response.ok);
  }
}

test('an unreachable or hanging database is reported on every surface, and the service recovers', async () => {
  const database = await testDatabase();
  const relay = await relayTo(database.url);
  const running = await testApp({ database: { ...database, url: relay.url }, worker: true });
  const callers = await makeStage(running.app);
  const ready = async () => (await running.fetch('/readyz')).status;
  await expect.poll(ready).toBe(200);

  relay.cut();
  await expectUnavailable(running, callers, reads);
  expect(await ready()).toBe(503);
  expect((await running.fetch('/healthz')).status).toBe(200);
  await relay.mend();
  await expectServed(running, callers, reads);
  await eventually(async () => (await ready()) === 200);

  // A silent outage: callers still get a prompt error.
  relay.stall();
  const began = performance.now();
  const underWay = ask(running, callers, reads[0]!);
  expect(await ready()).toBe(503);
  expect(performance.now() - began).toBeLessThan(10_000);
  await eventually(() => !running.app.db.watch.answers());
  await expectUnavailable(running, callers, reads);
  expect((await underWay).response.status).toBe(503);
  relay.flow();
  await expectServed(running, callers, [...reads, ...writes]);
  await eventually(async () => (await ready()) === 200);
});

test('a read-only or full database returns 503 for writes', async () => {
  const running = await testApp();
  const callers = await makeStage(running.app);
  const { database, superuser } = running;
  await superuser.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`);
  const tables = ['decision_event', 'dpu', 'webhook', 'process_heartbeat'];
  const checks = async () =>
    ((await (await running.fetch('/readyz')).json()) as { checks: { database: string } }).checks;
  for (const table of tables) {
    await superuser.query(
      `CREATE TRIGGER full_disk BEFORE INSERT ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse()`,
    );
  }
  await expectUnavailable(running, callers, writes);
  await expect.poll(async () => (await checks()).database).toBe('full');
  // The state persists while there are no writes.
  await expectServed(running, callers, reads);
  expect((await running.fetch('/readyz')).status).toBe(503);
  for (const table of tables) await superuser.query(`DROP TRIGGER full_disk ON ${table}`);
  await eventually(async () => (await checks()).database === 'ok');
  await expectServed(running, callers, writes);

  const name = new URL(database.adminUrl).pathname.slice(1);
  /** New sessions take it up. */
  const setReadOnly = async (to: 'on' | 'off') => {
    await runAs(
      database.adminUrl,
      `BEGIN READ WRITE; ALTER DATABASE ${name} SET default_transaction_read_only = ${to}; COMMIT`,
    );
    await runAs(
      database.adminUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = $1 AND usename <> session_user`,
      [name],
    );
  };
  await setReadOnly('on');
  await eventually(async () => (await checks()).database === 'read-only');
  expect((await running.fetch('/readyz')).status).toBe(503);
  await expectUnavailable(running, callers, writes);
  await setReadOnly('off');
  await expectServed(running, callers, writes);
  await eventually(async () => (await running.fetch('/readyz')).status === 200);
});

test('notifications and migrations go to DATABASE_DIRECT_URL, everything else to DATABASE_URL', async () => {
  const database = await testDatabase();
  const direct = await relayTo(database.url);
  const { app, call, graphql } = await testApp({ database, env: { DATABASE_DIRECT_URL: direct.url } });
  const { token } = await makeStage(app);
  expect(app.bus.connected()).toBe(true);
  direct.cut();
  await eventually(() => !app.bus.connected());
  expect((await call('GET', '/auth/me', { token })).status).toBe(200);
  // Without the channel the cache is not used.
  await graphql('mutation { logout }', {}, token);
  expect((await call('GET', '/auth/me', { token })).status).toBe(401);
  await direct.mend();
  await eventually(() => app.bus.connected());
  // A hanging channel is closed too.
  direct.stall();
  await eventually(() => !app.bus.connected());
  direct.flow();
  await eventually(() => app.bus.connected());
});

test('a start waits for an unavailable database, logs it once, and continues when it is available', async () => {
  const database = await testDatabase();
  const relay = await relayTo(database.url);
  const direct = await relayTo(database.ownerUrl);
  direct.cut();
  const server = spawnServer({
    env: { DATABASE_URL: relay.url, DATABASE_OWNER_URL: direct.url, ROLE: 'api' },
  });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  await eventually(() => server.output().includes('waiting for the database'));
  await direct.mend();
  await eventually(() => server.output().includes('"msg":"ready"'));
  expect(server.output().match(/waiting for the database/g)).toHaveLength(1);
  expect(await server.end()).toBe(0);
});

test('a server whose commits hang makes the process not ready, while reads continue', async () => {
  const running = await testApp();
  const callers = await makeStage(running.app);
  const { superuser, database } = running;
  const readiness = async () =>
    (await (await running.fetch('/readyz')).json()) as { checks: { database: string } };
  // Runs at COMMIT, like waiting for a synchronous standby.
  await superuser.query(`CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(3600); RETURN NULL; END $$`);
  await superuser.query(`CREATE CONSTRAINT TRIGGER hang AFTER INSERT OR UPDATE ON process_heartbeat
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hang()`);
  await eventually(async () => (await readiness()).checks.database === 'does not commit');
  expect((await running.fetch('/readyz')).status).toBe(503);
  await expectServed(running, callers, reads);
  await superuser.query(`CREATE OR REPLACE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RETURN NULL; END $$`);
  await runAs(
    database.adminUrl,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'countersign heartbeat' AND datname = current_database()`,
  );
  await eventually(async () => (await running.fetch('/readyz')).status === 200);
});
