import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';
import { consumer } from './consumer.ts';
import { nameServer } from './name-server.ts';
import { deliveryBecomes, emitEvent, subscribe } from './stage.ts';

const strict = { WEBHOOK_ALLOW_PRIVATE: '0' };

let guarded: TestApp;
let key: string;
beforeAll(async () => {
  guarded = await startTestApp({ env: strict });
  ({ key } = await makeStage(guarded.app));
});
afterAll(() => guarded.close());

test.each([
  'http://127.0.0.1/',
  'http://localhost/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://10.1.2.3/',
  'http://192.168.0.1/',
  'http://169.254.169.254/latest/meta-data',
  'http://100.64.0.1/',
  'http://0.0.0.0/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://user:secret@203.0.113.1/',
])('if private addresses are not allowed, %s cannot be registered', async (url) => {
  const refused = await guarded.call('POST', '/v1/webhooks', { token: key, body: { url, events: ['*'] } });
  expect([refused.status, refused.body.error.details.fields?.[0].path]).toEqual([422, 'url']);
});

test('a host that is public at registration and private later is not connected to', async () => {
  const names = await nameServer('93.184.215.14');
  const running = await testApp({
    worker: true,
    env: { ...strict, OUTBOUND_NAME_SERVERS: names.address },
  });
  const { key, center } = await makeStage(running.app);
  const inside = await consumer();
  const { port } = new URL(inside.url);
  const { id } = await subscribe(running, key, `http://rebinding.example:${port}/hook`);
  expect(names.asked).toContain('rebinding.example');

  names.answer('127.0.0.1');
  await emitEvent(running.app, center.id);
  expect(await deliveryBecomes(running, key, id, () => true)).toMatchObject({
    status: 'failed',
    responseStatus: null,
  });
  const attempt = await running.app.db.acrossTenants.deliveryAttempt.findFirstOrThrow();
  expect(attempt.error).toBe('dns: the URL must name a host that resolves to public addresses');
  expect(inside.received).toEqual([]);

  const again = { url: `http://rebinding.example:${port}/other`, events: ['*'] };
  const refused = await running.call('POST', '/v1/webhooks', { token: key, body: again });
  expect(refused.status).toBe(422);
});

test('a private and an unresolvable host get one answer on every surface, and so do their deliveries', async () => {
  const names = await nameServer('93.184.215.14');
  const running = await testApp({
    worker: true,
    env: { ...strict, OUTBOUND_NAME_SERVERS: names.address, WEBHOOK_RETRY_DELAYS: '1,1,1' },
  });
  const { key, token, center } = await makeStage(running.app);
  const inside = await consumer();
  const { port } = new URL(inside.url);
  const url = `http://moving.example:${port}/hook`;
  const { id } = await subscribe(running, key, url);

  const seen = async (target: string) => {
    const made = await running.call('POST', '/v1/webhooks', {
      token: key,
      body: { url: target, events: ['*'] },
    });
    const changed = await running.call('PATCH', `/v1/webhooks/${id}`, { token: key, body: { url: target } });
    const chat = `mutation ($url: String!) {
      saveChatChannel(input: { name: "Chat", url: $url, kind: GENERIC }) { id } }`;
    const saved = await running.graphql(chat, { url: target }, token);
    const { code, details } = saved.errors![0]!.extensions;
    return [made, changed]
      .map(({ status, body }) => ({ status, ...body.error, requestId: null }))
      .concat({ code, details });
  };
  const literal = await seen(`http://10.0.0.1:${port}/`);
  expect(literal[0]).toMatchObject({
    status: 422,
    code: 'VALIDATION_ERROR',
    details: {
      fields: [{ path: 'url', message: 'must name a host that resolves to public addresses' }],
    },
  });
  names.answer('127.0.0.1');
  expect(await seen(url)).toEqual(literal);
  names.answer(null);
  expect(await seen(url)).toEqual(literal);

  // What a tenant sees of attempts: the first while the name is private, the second while it has no address.
  names.answer('10.9.8.7');
  await emitEvent(running.app, center.id);
  await deliveryBecomes(running, key, id, () => true);
  names.answer(null);
  await deliveryBecomes(running, key, id, ({ attempts }) => attempts >= 2);
  const attempts = await running.app.db.acrossTenants.deliveryAttempt.findMany({ take: 2 });
  const texts = new Set(attempts.map(({ error, responseStatus }) => `${responseStatus} ${error}`));
  expect([...texts]).toEqual(['null dns: the URL must name a host that resolves to public addresses']);
});
