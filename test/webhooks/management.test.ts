import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeKey, makeMember, makeStage } from '../helpers/world.ts';
import { subscribe } from './stage.ts';

const url = 'http://127.0.0.1:9/hook';

test('a webhook is registered, listed without its secret, changed, rotated and deleted', async () => {
  const running = await testApp();
  const { app, call } = running;
  const { key, center } = await makeStage(app);
  const created = await call('POST', '/v1/webhooks', {
    token: key,
    body: { url, events: ['dpu.sealed', '*'] },
  });
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    id: expect.stringMatching(/^whk_/),
    url,
    events: ['dpu.sealed', '*'],
    active: true,
    signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    createdAt: expect.any(String),
  });
  const { id, signingSecret } = created.body;

  const listed = await call('GET', '/v1/webhooks', { token: key });
  expect(listed.body.data).toMatchObject([{ id, url, lastDeliveryAt: null, lastDeliveryStatus: null }]);
  expect(listed.text).not.toContain('whsec_');
  const row = await app.db.acrossTenants.webhook.findUniqueOrThrow({ where: { id } });
  expect(JSON.stringify(row)).not.toContain(signingSecret);

  const body = { events: ['payment.*'], active: false };
  const changed = await call('PATCH', `/v1/webhooks/${id}`, { token: key, body });
  expect(changed.status).toBe(200);
  expect(changed.body.data).toMatchObject({ id, url, ...body });

  const rotated = await call('POST', `/v1/webhooks/${id}/rotate-secret`, { token: key });
  expect(rotated.body).toEqual({ id, signingSecret: expect.stringMatching(/^whsec_/) });
  expect(rotated.body.signingSecret).not.toBe(signingSecret);

  const deleted = await call('DELETE', `/v1/webhooks/${id}`, { token: key });
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expect((await call('GET', '/v1/webhooks', { token: key })).body.data).toEqual([]);
  for (const [method, path] of [
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['GET', '/deliveries'],
  ]) {
    const gone = await call(method!, `/v1/webhooks/${id}${path}`, {
      token: key,
      ...(method === 'PATCH' && { body }),
    });
    expect([gone.status, gone.body.error.code]).toEqual([404, 'NOT_FOUND']);
  }
  const audits = await app.db.forCenter(center.id).auditEntry.findMany({
    where: { type: 'webhook.changed', target: id },
    orderBy: { id: 'asc' },
  });
  expect(audits.map(({ detail }) => (detail as { change: string }).change)).toEqual([
    'created',
    'updated',
    'secret rotated',
    'deleted',
  ]);
});

test.each([
  [{ url }, 'events'],
  [{ events: ['*'] }, 'url'],
  [{ url, events: [] }, 'events'],
  [{ url, events: ['payment.refunded'] }, 'events.0'],
  [{ url, events: ['pay.*'] }, 'events.0'],
  [{ url, events: ['pay*'] }, 'events.0'],
  [{ url: 'ftp://example.com', events: ['*'] }, 'url'],
  [{ url: 'not a url', events: ['*'] }, 'url'],
  [{ url: 'http://169.254.169.254/latest', events: ['*'] }, 'url'],
  [{ url, events: ['*'], active: 'yes' }, 'active'],
])('%j is rejected for its %s', async (body, path) => {
  const { app, call } = await testApp();
  const { key } = await makeStage(app);
  const refused = await call('POST', '/v1/webhooks', { token: key, body });
  expect([refused.status, refused.body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
  expect(refused.body.error.details.fields).toContainEqual({ path, message: expect.any(String) });
});

test('a read-only key lists webhooks but cannot change them', async () => {
  const running = await testApp();
  const { app, call } = running;
  const { key, center } = await makeStage(app);
  const { id } = await subscribe(running, key, url);
  const reader = await makeKey(app, center.id, ['proof:read']);
  expect((await call('GET', '/v1/webhooks', { token: reader })).body.data).toHaveLength(1);
  expect((await call('GET', `/v1/webhooks/${id}/deliveries`, { token: reader })).status).toBe(200);
  for (const [method, path] of [
    ['POST', '/v1/webhooks'],
    ['PATCH', `/v1/webhooks/${id}`],
    ['DELETE', `/v1/webhooks/${id}`],
    ['POST', `/v1/webhooks/${id}/rotate-secret`],
    ['POST', '/v1/webhooks/events/msg_x/retry'],
  ]) {
    const body = method === 'DELETE' ? undefined : { url, events: ['*'] };
    const refused = await call(method!, path!, { token: reader, body });
    expect([refused.status, refused.body.error.code], path).toEqual([403, 'FORBIDDEN']);
  }
});

test('a center can have a hundred webhooks, even if registered concurrently', async () => {
  const running = await testApp();
  const { app, call } = running;
  const { key, center } = await makeStage(app);
  await app.db.declared([center.id]).query(
    `INSERT INTO webhook (id, center_id, url, events, secret)
     SELECT 'whk_' || n, $1, 'http://127.0.0.1:9/', '{}', '' FROM generate_series(1, 95) n`,
    [center.id],
  );
  const register = () => call('POST', '/v1/webhooks', { token: key, body: { url, events: ['*'] } });
  const answers = await Promise.all(Array.from({ length: 12 }, register));
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array(5).fill(201), ...Array(7).fill(409)]);
  expect(await app.db.acrossTenants.webhook.count({ where: { centerId: center.id } })).toBe(100);
});

test.each(['0', '101', '-1', 'many'])('a deliveries limit of %s is rejected', async (limit) => {
  const running = await testApp();
  const { key } = await makeStage(running.app);
  const { id } = await subscribe(running, key, url);
  const refused = await running.call('GET', `/v1/webhooks/${id}/deliveries?limit=${limit}`, { token: key });
  expect([refused.status, refused.body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
});

test('a repeated Idempotency-Key returns the same secret, which is stored encrypted', async () => {
  const { app, call } = await testApp();
  const { key } = await makeStage(app);
  const register = () =>
    call('POST', '/v1/webhooks', {
      token: key,
      body: { url, events: ['*'] },
      headers: { 'Idempotency-Key': 'once' },
    });
  const first = await register();
  const second = await register();
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.body).toEqual(first.body);
  const stored = await app.db.acrossTenants.idempotencyRecord.findFirstOrThrow();
  expect(stored.responseBody).not.toContain('whsec_');
});

test('in GraphQL only an ADMIN can access webhooks, including node lookups', async () => {
  const { app, graphql } = await testApp();
  const { token, center } = await makeStage(app);
  const { data } = await graphql(
    `mutation ($url: String!) { createWebhook(input: { url: $url, events: ["*"] }) {
       signingSecret webhook { id url active deliveries(first: 5) { edges { node { eventId } } } } } }`,
    { url },
    token,
  );
  const { id } = data.createWebhook.webhook;
  const LIST = `{ webhooks(first: 5) { edges { node { id } } } }`;
  const NODE = `query ($id: ID!) { node(id: $id) { id ... on Webhook { url } } }`;
  expect((await graphql(NODE, { id }, token)).data.node).toEqual({ id, url });
  for (const role of ['INSTRUCTOR', 'PARENT', 'CHILD'] as const) {
    const member = await makeMember(app, center.id, role);
    expect((await graphql(LIST, {}, member.token)).errors![0]!.extensions.code).toBe('INSUFFICIENT_ROLE');
    expect((await graphql(NODE, { id }, member.token)).errors![0]!.extensions.code).toBe('INSUFFICIENT_ROLE');
  }
});
