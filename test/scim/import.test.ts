import { expect, test } from 'vitest';
import { PRINCIPALS_TOPIC } from '../../src/domain/identity/principal-cache.ts';
import { eventually } from '../helpers/eventually.ts';
import { entraUser, patch, scimStage } from './scim-stage.ts';

test('an import leaves the cached principals of all other people alone', async () => {
  const { app, scim, graphql, token } = await scimStage();
  const messages: unknown[] = [];
  const stop = app.bus.on(PRINCIPALS_TOPIC, (message) => void messages.push(message));
  const ids: string[] = [];
  for (const name of ['ada', 'bob', 'eve']) ids.push((await scim('POST', '/Users', entraUser(name))).body.id);
  const members = ids.map((value) => ({ value }));
  expect((await scim('POST', '/Groups', { displayName: 'Finance', members })).status).toBe(201);
  expect((await graphql('{ me { name } }', {}, token)).errors).toBeUndefined();
  await app.bus.caughtUp();
  expect(messages).toEqual([]);
  // A suspension is announced: the person may be signed in anywhere.
  await scim('PATCH', `/Users/${ids[0]}`, patch({ op: 'replace', path: 'active', value: false }));
  await app.bus.caughtUp();
  expect(messages).toHaveLength(1);
  stop();
});

test('requests of a directory that wait for each other leave connections to other centers', async () => {
  const { app, center, scim, call, key, superuser } = await scimStage();
  const waiters = async () => {
    const { rows } = await superuser.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  const client = await superuser.connect();
  // More than the connections of the pool; all of them need the lock of the center.
  const names = Array.from({ length: 30 }, (_, at) => `user${at}`);
  let waiting: Promise<{ status: number }[]> | undefined;
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM center WHERE id = $1 FOR UPDATE', [center.id]);
    waiting = Promise.all(names.map((name) => scim('POST', '/Users', entraUser(name))));
    await eventually(async () => (await waiters()) === 1 && app.db.pool.waitingCount === 0);
    expect((await call('GET', '/v1/decision-events', { token: key })).status).toBe(200);
    expect(await waiters()).toBe(1);
  } finally {
    await client.query('COMMIT');
    client.release();
    const replies = await waiting;
    expect(replies?.map(({ status }) => status)).toEqual(names.map(() => 201));
  }
});
