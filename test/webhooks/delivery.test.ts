import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventCatalog } from '../../src/domain/events/catalog.ts';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeStage } from '../helpers/world.ts';
import { accept, answer, consumer, type Received } from './consumer.ts';
import { deliveriesOf, deliveryBecomes, emitEvent, subscribe } from './stage.ts';

const quick = { WEBHOOK_RETRY_DELAYS: '0,0.1,0.1,0.1,0.1,0.1,0.1' };

/** For tests that use only their own center. */
let usual: TestApp;
let hasty: TestApp;
beforeAll(async () => {
  usual = await startTestApp({ worker: true });
  hasty = await startTestApp({ worker: true, env: quick });
});
afterAll(async () => {
  await usual.close();
  await hasty.close();
});

const signature = (secret: string, { raw }: Received) =>
  createHmac('sha256', secret).update(raw).digest('hex');
const standard = (secret: string, { raw, headers }: Received) =>
  new Webhook(secret).verify(raw, headers as Record<string, string>);

test('an event is delivered once, signed, and listed', async () => {
  const running = usual;
  const { key, center } = await makeStage(running.app);
  const { url, received } = await consumer();
  const { id, signingSecret } = await subscribe(running, key, url, ['payment.*']);
  await emitEvent(running.app, center.id, 'dpu.sealed');
  const eventId = await emitEvent(running.app, center.id, 'payment.completed');

  const delivery = await deliveryBecomes(running, key, id, () => true);
  expect(delivery).toEqual({
    eventId,
    eventType: 'payment.completed',
    deliveredAt: expect.any(String),
    status: 'success',
    responseStatus: 200,
    attempts: 1,
    nextRetryAt: null,
  });
  expect(received).toHaveLength(1);
  const [request] = received as [Received];
  expect(request.body).toEqual({
    id: eventId,
    type: 'payment.completed',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: eventCatalog['payment.completed'].example,
    deliveryAttempt: 1,
  });
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'x-service-signature': signature(signingSecret, request),
    'x-service-event-id': eventId,
    'x-service-delivery-attempt': '1',
    'x-service-timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    'webhook-id': eventId,
  });
  expect(request.headers['x-service-signature-previous']).toBeUndefined();
  expect(standard(signingSecret, request)).toEqual(request.body);

  const [listed] = (await running.call('GET', '/v1/webhooks', { token: key })).body.data;
  expect(listed).toMatchObject({ lastDeliveryStatus: 'success', lastDeliveryAt: delivery.deliveredAt });
});

test('for a day after a rotation both secrets sign, then only the new one', async () => {
  const running = usual;
  const { app, call } = running;
  const { key, center } = await makeStage(app);
  const { url, received } = await consumer();
  const { id, signingSecret: old } = await subscribe(running, key, url);
  const { signingSecret: fresh } = (await call('POST', `/v1/webhooks/${id}/rotate-secret`, { token: key }))
    .body;

  await emitEvent(app, center.id);
  await eventually(() => received.length === 1);
  const during = received[0]!;
  expect(during.headers['x-service-signature']).toBe(signature(fresh, during));
  expect(during.headers['x-service-signature-previous']).toBe(signature(old, during));
  expect(standard(fresh, during)).toEqual(standard(old, during));

  await app.db.acrossTenants.webhook.update({
    where: { id },
    data: { previousSecretExpiresAt: new Date(Date.now() - 1) },
  });
  await emitEvent(app, center.id);
  await eventually(() => received.length === 2);
  const after = received[1]!;
  expect(after.headers['x-service-signature']).toBe(signature(fresh, after));
  expect(after.headers['x-service-signature-previous']).toBeUndefined();
  expect(() => standard(old, after)).toThrow();
});

test('seven attempts on the schedule, then failed; a manual retry continues the count and the schedule', async () => {
  const running = hasty;
  const { key, center } = await makeStage(running.app);
  const retryAnswered = Promise.withResolvers<void>();
  const { url, received } = await consumer(async (request, response, count) => {
    // The response to the eighth attempt, the first after the retry, may already be in the retry's result.
    if (count === 8) await retryAnswered.promise;
    if (count > 9) accept(request, response, count);
    else response.writeHead(500).end('x'.repeat(5_000));
  });
  const { id } = await subscribe(running, key, url);
  const eventId = await emitEvent(running.app, center.id);
  const failed = await deliveryBecomes(running, key, id, (each) => each.attempts === 7);
  expect(failed).toMatchObject({
    status: 'failed',
    responseStatus: 500,
    deliveredAt: null,
    nextRetryAt: null,
  });
  expect(received.map(({ body }) => body.deliveryAttempt)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(received.map(({ headers }) => headers['x-service-delivery-attempt'])).toEqual([...'1234567']);

  const log = await running.app.db.acrossTenants.deliveryAttempt.findMany({
    where: { webhookId: id },
    orderBy: { number: 'asc' },
  });
  expect(log.map(({ number, responseStatus }) => [number, responseStatus])).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((number) => [number, 500]),
  );
  expect(log[0]!.responseBody).toBe('x'.repeat(1_024));

  const retry = () => running.call('POST', `/v1/webhooks/events/${eventId}/retry`, { token: key });
  const retried = await retry();
  expect(retried.status).toBe(200);
  expect(retried.body.data).toMatchObject({
    eventId,
    deliveries: [{ eventId, status: 'failed', attempts: 7 }],
  });
  retryAnswered.resolve();
  const done = await deliveryBecomes(running, key, id, (each) => each.status === 'success');
  expect(done).toMatchObject({ attempts: 10, nextRetryAt: null });
  const [succeeded] = await running.app.db.acrossTenants.deliveryAttempt.findMany({
    where: { webhookId: id, responseStatus: 200 },
  });
  expect(done.deliveredAt).toBe(succeeded!.startedAt.toISOString());
  expect(received.slice(7).map(({ body }) => body.deliveryAttempt)).toEqual([8, 9, 10]);
  expect((await running.call('POST', '/v1/webhooks/events/msg_none/retry', { token: key })).status).toBe(404);
});

test('the delays between attempts follow the schedule', async () => {
  const running = await testApp({ worker: true });
  const { key, center } = await makeStage(running.app);
  const { url } = await consumer(answer(503));
  const { id } = await subscribe(running, key, url);
  await emitEvent(running.app, center.id);
  const { superuser: pool } = running;
  const waitingJob = async () => {
    const { rows } = await pool.query<{ id: string; runAt: Date }>(
      `SELECT id, run_at AS "runAt" FROM graphile_worker.jobs
       WHERE task_identifier = 'deliver_webhook' AND locked_at IS NULL`,
    );
    return rows[0];
  };
  for (const [made, seconds] of [
    [1, 30],
    [2, 120],
    [3, 600],
    [4, 3_600],
    [5, 21_600],
    [6, 86_400],
  ]) {
    const { nextRetryAt } = await deliveryBecomes(running, key, id, (each) => each.attempts === made);
    // The worker puts the job back after it has recorded the attempt.
    await expect.poll(async () => (await waitingJob())?.runAt.toISOString()).toBe(nextRetryAt);
    const wait = (Date.parse(nextRetryAt) - Date.now()) / 1_000;
    // The clock advances while a busy machine checks.
    expect(wait).toBeGreaterThan(seconds! / 2);
    expect(wait).toBeLessThanOrEqual(seconds!);
    // Skips the wait: for the job and for its delivery.
    await pool.query('UPDATE delivery SET next_attempt_at = now()');
    await pool.query('SELECT graphile_worker.reschedule_jobs($1, now())', [[(await waitingJob())!.id]]);
  }
  await deliveryBecomes(running, key, id, (each) => each.attempts === 7 && each.nextRetryAt === null);
});

test.each([
  ['seconds', 429, () => '60', 60],
  ['a date', 503, () => new Date(Date.now() + 90_000).toUTCString(), 90],
  ['more than a day', 429, () => '999999', 86_400],
  ['less than the schedule', 429, () => '1', 30],
  ['nonsense', 429, () => 'soon', 30],
  ['another status', 500, () => '600', 30],
])('Retry-After with %s', async (_, status, header, seconds) => {
  const running = usual;
  const { key, center } = await makeStage(running.app);
  const { url } = await consumer((request, response, count) =>
    answer(status, { 'retry-after': header() })(request, response, count),
  );
  const { id } = await subscribe(running, key, url);
  await emitEvent(running.app, center.id);
  const { nextRetryAt, deliveredAt } = await deliveryBecomes(running, key, id, () => true);
  expect(deliveredAt).toBeNull();
  const [{ lastDeliveryAt }] = (await running.call('GET', '/v1/webhooks', { token: key })).body.data;
  const wait = (Date.parse(nextRetryAt) - Date.parse(lastDeliveryAt)) / 1_000;
  expect(wait).toBeGreaterThan(seconds - 3);
  // The delay counts from the recording, which a busy machine delays.
  expect(wait).toBeLessThan(seconds + 25);
});

test('redirects are not followed, and a body that never ends counts as a timeout', async () => {
  const running = usual;
  const { key, center } = await makeStage(running.app);
  const target = await consumer();
  const redirecting = await consumer(answer(302, { location: target.url }));
  const endless = await consumer((_, response) => void response.writeHead(200).write('wait'));
  const moved = await subscribe(running, key, redirecting.url);
  const slow = await subscribe(running, key, endless.url);
  await emitEvent(running.app, center.id);
  expect(await deliveryBecomes(running, key, moved.id, () => true)).toMatchObject({
    status: 'failed',
    responseStatus: 302,
  });
  const timedOut = await deliveryBecomes(running, key, slow.id, () => true);
  expect(timedOut).toMatchObject({ status: 'failed', responseStatus: null });
  const attempt = await running.app.db.acrossTenants.deliveryAttempt.findFirstOrThrow({
    where: { webhookId: slow.id },
  });
  expect(attempt.error).toBe('timeout: no complete response within 5000 ms');
  expect(attempt.durationMs).toBeGreaterThanOrEqual(4_990);
  expect(target.received).toEqual([]);
});

test('a disabled or deleted webhook receives nothing more', async () => {
  const running = await testApp({ worker: true, env: { WEBHOOK_RETRY_DELAYS: '0,3600,3600' } });
  const { app, call, superuser: pool } = running;
  const { key, center } = await makeStage(app);
  const failing = [await consumer(answer(500)), await consumer(answer(500))];
  const witness = await consumer();
  const off = await subscribe(running, key, failing[0]!.url);
  const deleted = await subscribe(running, key, failing[1]!.url);
  await subscribe(running, key, witness.url);
  await emitEvent(app, center.id);
  for (const { id } of [off, deleted])
    await deliveryBecomes(running, key, id, ({ attempts }) => attempts === 1);
  await call('PATCH', `/v1/webhooks/${off.id}`, { token: key, body: { active: false } });
  await call('DELETE', `/v1/webhooks/${deleted.id}`, { token: key });
  await emitEvent(app, center.id);
  await eventually(() => witness.received.length >= 2);
  await eventually(async () => {
    // Skips the wait for the second attempts.
    await pool.query('UPDATE delivery SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL');
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'deliver_webhook'`,
    );
    await pool.query('SELECT graphile_worker.reschedule_jobs($1, now())', [rows.map(({ id }) => id)]);
    return rows.length === 0;
  });
  expect(failing.map(({ received }) => received.length)).toEqual([1, 1]);
  expect((await deliveriesOf(running, key, off.id))[0]).toMatchObject({
    status: 'failed',
    nextRetryAt: null,
  });
});

test('410 disables the webhook, with the reason in list and audit log', async () => {
  const running = hasty;
  const { key, center } = await makeStage(running.app);
  const { url, received } = await consumer(answer(410));
  const { id } = await subscribe(running, key, url);
  await emitEvent(running.app, center.id);
  const list = async () => (await running.call('GET', '/v1/webhooks', { token: key })).body.data[0];
  await eventually(async () => !(await list()).active);
  expect((await list()).deactivatedReason).toContain('410');
  await emitEvent(running.app, center.id);
  const audit = await running.app.db.forCenter(center.id).auditEntry.findFirstOrThrow({
    where: { target: id },
    orderBy: { id: 'desc' },
  });
  expect(audit).toMatchObject({ type: 'webhook.changed', detail: { change: 'deactivated' } });
  expect(received).toHaveLength(1);

  const body = { active: true };
  const again = await running.call('PATCH', `/v1/webhooks/${id}`, { token: key, body });
  expect(again.body.data).toMatchObject({ active: true, deactivatedReason: null });
});

test('only failures for five days disable the webhook; a success in between resets the period', async () => {
  const running = await testApp({ worker: true, env: { WEBHOOK_RETRY_DELAYS: '0' } });
  const { key, center } = await makeStage(running.app);
  let status = 500;
  const { url } = await consumer((request, response, count) => answer(status)(request, response, count));
  const { id } = await subscribe(running, key, url);
  const { webhook } = running.app.db.acrossTenants;
  const age = async (days: number) =>
    webhook.update({ where: { id }, data: { failingSince: new Date(Date.now() - days * 86_400_000) } });
  const happens = async () => {
    const eventId = await emitEvent(running.app, center.id);
    await deliveryBecomes(running, key, id, (each) => each.eventId === eventId);
  };
  await happens();
  expect((await webhook.findUniqueOrThrow({ where: { id } })).failingSince).not.toBeNull();
  await age(4.9);
  await happens();
  expect((await webhook.findUniqueOrThrow({ where: { id } })).active).toBe(true);
  status = 200;
  await happens();
  expect((await webhook.findUniqueOrThrow({ where: { id } })).failingSince).toBeNull();
  status = 500;
  await age(5.1);
  await happens();
  await eventually(async () => !(await webhook.findUniqueOrThrow({ where: { id } })).active);
  const [listed] = (await running.call('GET', '/v1/webhooks', { token: key })).body.data;
  expect(listed.deactivatedReason).toContain('5 days');
});
