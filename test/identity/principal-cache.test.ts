import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { runAs } from '../helpers/server.ts';
import { makeActor, makeCenter, makeMember, makeMembership, makeStage } from '../helpers/world.ts';

/** Two processes on one database. */
let here: TestApp;
let there: TestApp;
beforeAll(async () => {
  here = await startTestApp();
  there = await startTestApp({ database: here.database });
});
afterAll(async () => {
  await here.close();
  await there.close();
});

const KEYS = '{ apiKeys { edges { node { id } } } }';

/** The result for a caller of a center: 'in', or the error code. */
async function door(process: TestApp, token: string): Promise<string> {
  const { errors } = await process.graphql(KEYS, {}, token);
  return errors?.[0]?.extensions.code ?? 'in';
}

async function countQueries<T>(process: TestApp, work: () => Promise<T>): Promise<string[]> {
  const seen: string[] = [];
  const { pool } = process.app.db;
  const original = pool.query;
  pool.query = function (this: typeof pool, ...args: Parameters<typeof original>) {
    seen.push(JSON.stringify(args[0]));
    return original.apply(this, args);
  } as typeof original;
  await work().finally(() => {
    pool.query = original;
  });
  return seen;
}

/**
 * Repeats a call until its credential is not looked up, and returns the queries of the last call. Notifications about a new
 * stage may arrive after it was made, and then invalidate the cached credential.
 */
async function untilCached(process: TestApp, call: () => Promise<unknown>, lookup = 'session') {
  await process.app.bus.caughtUp();
  let queries: string[] = [];
  await eventually(async () => {
    queries = await countQueries(process, call);
    return !queries.some((query) => query.includes(lookup));
  });
  return queries;
}

test('a cached token is not looked up again', async () => {
  const { token } = await makeStage(here.app);
  expect(await door(here, token)).toBe('in');
  const queries = await untilCached(here, () => door(here, token));
  expect(queries.some((query) => query.includes('api_key'))).toBe(true);
});

test('concurrent callers with the same token share one lookup', async () => {
  const lookups = async (callers: number) => {
    const { token } = await makeStage(here.app);
    const queries = await countQueries(here, async () => {
      const doors = await Promise.all(Array.from({ length: callers }, () => door(here, token)));
      expect(doors).toEqual(Array(callers).fill('in'));
    });
    return queries.filter((query) => query.includes('session')).length;
  };
  // A late notification about a new stage makes the callers look it up again.
  const fewest = async (callers: number) =>
    Math.min(await lookups(callers), await lookups(callers), await lookups(callers));
  expect(await fewest(20)).toBe(await fewest(1));
});

const changes: [string, (stage: Awaited<ReturnType<typeof makeStage>>) => Promise<unknown>, string][] = [
  [
    'suspending a membership',
    ({ admin }) => write('UPDATE membership SET status = $2 WHERE id = $1', admin.membership.id, 'SUSPENDED'),
    'MEMBERSHIP_SUSPENDED',
  ],
  [
    'removing a role',
    ({ admin }) => write('UPDATE membership SET role = $2 WHERE id = $1', admin.membership.id, 'CHILD'),
    'INSUFFICIENT_ROLE',
  ],
  [
    'suspending a center',
    ({ center }) => write('UPDATE center SET status = $2 WHERE id = $1', center.id, 'SUSPENDED'),
    'CENTER_SUSPENDED',
  ],
  [
    'revoking a session',
    ({ admin }) => write('UPDATE session SET revoked_at = now() WHERE actor_id = $1', admin.actor.id),
    'UNAUTHORIZED',
  ],
  [
    'deleting a session',
    ({ admin }) => write('DELETE FROM session WHERE actor_id = $1', admin.actor.id),
    'UNAUTHORIZED',
  ],
  [
    'deleting a membership',
    ({ admin }) => write('DELETE FROM membership WHERE id = $1', admin.membership.id),
    'NO_MEMBERSHIP',
  ],
];

const write = (sql: string, ...values: unknown[]) => runAs(here.database.adminUrl, sql, values);

test.each(changes)('%s, even by direct SQL, takes effect in every process', async (_, change, code) => {
  const stage = await makeStage(here.app);
  for (const process of [here, there]) expect(await door(process, stage.token)).toBe('in');
  await change(stage);
  for (const process of [here, there]) {
    await eventually(async () => (await door(process, stage.token)) === code);
  }
});

test('a change over the API takes effect in the same process with its response', async () => {
  for (let round = 0; round < 20; round++) {
    const { token } = await makeStage(here.app);
    expect(await door(here, token)).toBe('in');
    await here.graphql('mutation { logout }', {}, token);
    expect(await door(here, token)).toBe('UNAUTHORIZED');
  }
});

test('a logout in one process takes effect in the other', async () => {
  const { token } = await makeStage(here.app);
  expect(await door(there, token)).toBe('in');
  await here.graphql('mutation { logout }', {}, token);
  await eventually(async () => (await door(there, token)) === 'UNAUTHORIZED');
});

test('an API key revoked in one process is rejected by the other', async () => {
  const { key, token, center } = await makeStage(here.app);
  const read = async () => (await there.graphql('{ node(id: "key_none") { id } }', {}, key)).status;
  expect(await read()).toBe(200);
  const { id } = await here.app.db.forCenter(center.id).apiKey.findFirstOrThrow();
  await here.graphql('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id } }', { id }, token);
  await eventually(async () => (await read()) === 401);
});

test('the expiry of an API key is checked on every use', async () => {
  const { app, graphql } = here;
  const { key, center } = await makeStage(app);
  const expiresAt = new Date(Date.now() + 600_000);
  await app.db.acrossTenants.apiKey.updateMany({ where: { centerId: center.id }, data: { expiresAt } });
  const read = async () => (await graphql('{ node(id: "key_none") { id } }', {}, key)).status;
  expect(await read()).toBe(200);
  await untilCached(here, read, 'find_api_key');
  vi.useFakeTimers({ toFake: ['Date'], now: expiresAt });
  try {
    expect(await read()).toBe(401);
  } finally {
    vi.useRealTimers();
  }
});

test('a relative added later gives access to their centers', async () => {
  const { app } = here;
  const center = await makeCenter(app);
  const { actor, token } = await makeMember(app, (await makeCenter(app)).id, 'PARENT');
  const me = async () => (await there.call('GET', '/auth/me', { token })).body.data.authorizedDomains;
  expect(await me()).not.toContain(center.centerDomain);
  const relative = await makeActor(app, { email: actor.email });
  await makeMembership(app, relative.id, center.id, 'PARENT');
  await eventually(async () => (await me()).includes(center.centerDomain));
});

test('the cache is not used while the notification channel is down', async () => {
  const { app, graphql, database } = await testApp();
  const { token, admin } = await makeStage(app);
  const enter = async () => (await graphql(KEYS, {}, token)).errors?.[0]?.extensions.code ?? 'in';
  expect(await enter()).toBe('in');
  const original = app.bus.connected;
  app.bus.connected = () => false;
  await runAs(database.adminUrl, `ALTER TABLE membership DISABLE TRIGGER principals_membership_changed`);
  await runAs(database.adminUrl, `UPDATE membership SET status = 'ENDED' WHERE id = $1`, [
    admin.membership.id,
  ]);
  expect(await enter()).toBe('MEMBERSHIP_ENDED');
  app.bus.connected = original;
});

test('the cache is cleared when the notification channel breaks', async () => {
  const running = await testApp();
  const { app, graphql, database } = running;
  const { token, admin } = await makeStage(app);
  const enter = async () => (await graphql(KEYS, {}, token)).errors?.[0]?.extensions.code ?? 'in';
  expect(await enter()).toBe('in');
  await untilCached(running, enter);
  // The trigger is off, so the change is not announced. Only the loss of the channel can reveal it.
  await runAs(database.adminUrl, `ALTER TABLE membership DISABLE TRIGGER principals_membership_changed`);
  await runAs(database.adminUrl, `UPDATE membership SET status = 'ENDED' WHERE id = $1`, [
    admin.membership.id,
  ]);
  expect(await enter()).toBe('in');
  await runAs(
    database.adminUrl,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'countersign bus' AND datname = current_database()`,
  );
  await eventually(async () => (await enter()) === 'MEMBERSHIP_ENDED');
  await eventually(() => app.bus.connected());
});

test('lastUsedAt of an API key is written at most once a minute', async () => {
  const { app, graphql } = here;
  const { key, center } = await makeStage(app);
  const lastUse = async () =>
    (await app.db.forCenter(center.id).apiKey.findFirstOrThrow()).lastUsedAt?.getTime();
  expect(await lastUse()).toBeUndefined();
  await graphql('{ node(id: "key_none") { id } }', {}, key);
  await eventually(async () => (await lastUse()) !== undefined);
  const noted = await lastUse();
  const queries = await countQueries(here, () => graphql('{ node(id: "key_none") { id } }', {}, key));
  expect(queries.filter((query) => query.includes('SET last_used_at'))).toEqual([]);
  await there.graphql('{ node(id: "key_none") { id } }', {}, key);
  expect(await lastUse()).toBe(noted);
});
