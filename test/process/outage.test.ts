import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { testDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/eventually.ts';
import { spawnServer } from '../helpers/process.ts';
import { relayTo } from '../helpers/relay.ts';
import { makeStage } from '../helpers/world.ts';

test('without its database the service says so in every dialect and recovers by itself', async () => {
  const database = await testDatabase();
  const relay = await relayTo(database.url);
  const { app, call, fetch, graphql } = await testApp({
    database: { ...database, url: relay.url },
    worker: true,
  });
  const { token, key } = await makeStage(app);
  expect((await call('GET', '/auth/me', { token })).status).toBe(200);

  relay.cut();
  const platform = await call('GET', '/auth/me', { token });
  expect([platform.status, platform.body]).toEqual([
    503,
    { success: false, error: { code: 'SERVICE_UNAVAILABLE', message: expect.any(String) } },
  ]);
  expect(platform.headers.get('retry-after')).toBe('1');
  const proof = await call('GET', '/v1/decision-events', { token: key });
  expect([proof.status, proof.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(proof.headers.get('retry-after')).toBe('1');
  expect((await graphql('{ me { name } }', {}, token)).errors![0]!.extensions.code).toBe(
    'SERVICE_UNAVAILABLE',
  );
  expect((await fetch('/readyz')).status).toBe(503);
  expect((await fetch('/healthz')).status).toBe(200);

  await relay.mend();
  await eventually(async () => (await call('GET', '/auth/me', { token })).status === 200);
  await eventually(async () => (await fetch('/readyz')).status === 200, 30_000);
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
  // Without the channel nothing is taken from memory.
  await graphql('mutation { logout }', {}, token);
  expect((await call('GET', '/auth/me', { token })).status).toBe(401);
  await direct.mend();
  await eventually(() => app.bus.connected());

  const server = spawnServer({
    env: { DATABASE_URL: database.url, DATABASE_DIRECT_URL: 'postgres://nobody:x@127.0.0.1:1/none' },
  });
  expect(await server.end('SIGCONT')).toBe(1);
  expect(server.output()).toMatch(/^Countersign cannot start: DATABASE_/);
});
