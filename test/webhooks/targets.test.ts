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
  expect(attempt.error).toMatch(/^refused-address: .*loopback/);
  expect(attempt.error).not.toContain('127.0.0.1');
  expect(inside.received).toEqual([]);

  const again = { url: `http://rebinding.example:${port}/other`, events: ['*'] };
  const refused = await running.call('POST', '/v1/webhooks', { token: key, body: again });
  expect(refused.status).toBe(422);
});
