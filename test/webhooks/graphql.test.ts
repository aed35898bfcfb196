import { expect, test } from 'vitest';
import { eventCatalog, eventTypes } from '../../src/domain/events/catalog.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { eventually } from '../helpers/eventually.ts';
import { firstResult, watch } from '../helpers/watch.ts';
import { makeStage } from '../helpers/world.ts';
import { answer, consumer } from './consumer.ts';
import { deliveriesOf, deliveryBecomes, emitEvent, subscribe } from './stage.ts';

const SAMPLE = `mutation ($webhookId: ID!, $type: String!) {
  sendSampleEvent(input: { webhookId: $webhookId, type: $type }) { eventId }
}`;
const RECOVER = `mutation ($input: RecoverWebhookInput!) {
  recoverWebhook(input: $input) { queued hasMore until }
}`;

test('the event catalog lists every type with example and schema, without authentication', async () => {
  const { graphql } = await testApp();
  const { data } = await graphql('{ eventCatalogue { type description example schema } }');
  expect(data.eventCatalogue.map(({ type }: { type: string }) => type)).toEqual(eventTypes);
  expect(data.eventCatalogue[0]).toMatchObject({
    example: eventCatalog['dpu.sealed'].example,
    schema: { type: 'object', required: ['dpuId', 'chainHash', 'domain', 'actorId'] },
  });
});

test('a sample event is delivered only to the given webhook', async () => {
  const running = await testApp({ worker: true });
  const { key, token } = await makeStage(running.app);
  const { url, received } = await consumer();
  const { id } = await subscribe(running, key, `${url}/mine`, ['dpu.*']);
  await subscribe(running, key, `${url}/other`, ['*']);
  const { data } = await running.graphql(SAMPLE, { webhookId: id, type: 'certificate.issued' }, token);
  await deliveryBecomes(running, key, id, (each) => each.eventId === data.sendSampleEvent.eventId);
  expect(received.map(({ path }) => path)).toEqual(['/hook/mine']);
  expect(received[0]!.body.data).toEqual({ ...eventCatalog['certificate.issued'].example, sample: true });

  const unknown = await running.graphql(SAMPLE, { webhookId: id, type: 'no.such' }, token);
  expect(unknown.errors![0]!.extensions.code).toBe('VALIDATION_ERROR');
  await running.call('PATCH', `/v1/webhooks/${id}`, { token: key, body: { active: false } });
  const off = await running.graphql(SAMPLE, { webhookId: id, type: 'dpu.sealed' }, token);
  expect(off.errors![0]!.extensions.code).toBe('CONFLICT');
});

test('an ADMIN reads deliveries with every attempt, and subscribes to new ones', async () => {
  const running = await testApp({ worker: true, env: { WEBHOOK_RETRY_DELAYS: '0,0.1' } });
  const { key, token, center } = await makeStage(running.app);
  const { url } = await consumer(answer(503, {}, 'not now'));
  const { id } = await subscribe(running, key, url);
  const next = await watch(
    running,
    `subscription { webhookDeliveries(webhookId: "${id}") { eventId eventType attempts status } }`,
    token,
  );
  const emitted: string[] = [];
  const { data: first } = await firstResult(next, async () => {
    emitted.push(await emitEvent(running.app, center.id));
  });
  const [delivery] = first.webhookDeliveries;
  expect(delivery).toMatchObject({ eventType: 'payment.completed', status: 'failed' });
  expect(emitted).toContain(delivery.eventId);

  const last = emitted.at(-1);
  await deliveryBecomes(running, key, id, (each) => each.eventId === last && each.attempts === 2);
  const { data } = await running.graphql(
    `query ($id: ID!) { webhook(id: $id) { deliveries(first: 1) { edges { node {
       eventId nextRetryAt attemptLog { number responseStatus responseBody error durationMs startedAt } } } } } }`,
    { id },
    token,
  );
  expect(data.webhook.deliveries.edges[0].node).toMatchObject({
    eventId: last,
    nextRetryAt: null,
    attemptLog: [2, 1].map((number) => ({
      number,
      responseStatus: 503,
      responseBody: 'not now',
      error: null,
    })),
  });
});

/** Emits an event and waits until the webhook was attempted. */
async function attempted(
  running: TestApp,
  key: string,
  centerId: number,
  webhookId: string,
): Promise<string> {
  const eventId = await emitEvent(running.app, centerId);
  await deliveryBecomes(running, key, webhookId, (each) => each.eventId === eventId);
  return eventId;
}

test('deliveries of one webhook are filtered by status and event type', async () => {
  const running = await testApp({ worker: true, env: { WEBHOOK_RETRY_DELAYS: '0' } });
  const { key, token, center } = await makeStage(running.app);
  let healthy = true;
  const { url } = await consumer((_, response) => response.writeHead(healthy ? 200 : 500).end());
  const { id } = await subscribe(running, key, url, ['payment.*']);
  await subscribe(running, key, `${url}/other`, ['payment.*']);
  const happens = () => attempted(running, key, center.id, id);
  const reached = await happens();
  healthy = false;
  const missed = await happens();
  const found = async (filter: string) => {
    const query = `query ($id: ID!) { webhookDeliveries(webhookId: $id, ${filter}) { edges { node { eventId } } } }`;
    const { data } = await running.graphql(query, { id }, token);
    return data.webhookDeliveries.edges.map(({ node }: { node: { eventId: string } }) => node.eventId);
  };
  expect(await found('first: 10')).toEqual([missed, reached]);
  expect(await found('status: success')).toEqual([reached]);
  expect(await found('status: failed')).toEqual([missed]);
  expect(await found('eventType: "payment.completed", last: 1')).toEqual([reached]);
  expect(await found('eventType: "dpu.sealed"')).toEqual([]);

  const one = (webhookId: string, eventId: string) =>
    running.graphql(
      `query ($webhookId: ID!, $eventId: ID!) {
         webhookDelivery(webhookId: $webhookId, eventId: $eventId) { eventId status payload attemptLog { responseStatus } }
       }`,
      { webhookId, eventId },
      token,
    );
  expect((await one(id, missed)).data.webhookDelivery).toEqual({
    eventId: missed,
    status: 'failed',
    payload: expect.objectContaining({ id: missed, type: 'payment.completed' }),
    attemptLog: [{ responseStatus: 500 }],
  });
  for (const answer of [await one(id, 'msg_none'), await one('whk_none', missed)]) {
    expect(answer.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  }
  await running.call('DELETE', `/v1/webhooks/${id}`, { token: key });
  expect((await one(id, missed)).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
});

test('recovery resends failed deliveries once, however often it is requested', async () => {
  const running = await testApp({ worker: true, env: { WEBHOOK_RETRY_DELAYS: '0' } });
  const { key, token, center } = await makeStage(running.app);
  let healthy = true;
  const { url, received } = await consumer((_, response) => response.writeHead(healthy ? 200 : 500).end());
  const { id } = await subscribe(running, key, url, ['payment.*']);
  const since = new Date().toISOString();
  const happens = () => attempted(running, key, center.id, id);
  const reached = await happens();
  healthy = false;
  const missed = [await happens(), await happens()];
  healthy = true;
  const recover = async (scope: string, until?: string) => {
    const answered = await running.graphql(RECOVER, { input: { webhookId: id, since, scope, until } }, token);
    return answered.data.recoverWebhook;
  };
  const before = received.length;
  const first = await recover('FAILED');
  expect(first).toMatchObject({ queued: 2, hasMore: false });
  expect((await recover('FAILED', first.until)).queued).toBe(0);
  await eventually(() => received.length === before + 2);
  expect(
    received
      .slice(before)
      .map(({ body }) => body.id)
      .sort(),
  ).toEqual(missed.sort());
  // The attempts are recorded a moment later.
  await expect
    .poll(async () => (await deliveriesOf(running, key, id)).map(({ status }: Parsed) => status))
    .toEqual(['success', 'success', 'success']);

  // With everything requested, events from while it was off are sent too.
  await running.call('PATCH', `/v1/webhooks/${id}`, { token: key, body: { active: false } });
  const unheard = await emitEvent(running.app, center.id);
  await running.call('PATCH', `/v1/webhooks/${id}`, { token: key, body: { active: true } });
  const all = await recover('ALL');
  expect(all).toMatchObject({ queued: 4, hasMore: false });
  await eventually(() => received.length === before + 6);
  expect((await recover('ALL', all.until)).queued).toBe(0);
  const resent = received.slice(before + 2).map(({ body }) => body.id);
  expect(resent.sort()).toEqual([reached, ...missed, unheard].sort());
});

test('deliveries of a webhook are filtered by status and type, and show the payload', async () => {
  const running = await testApp({ worker: true, env: { WEBHOOK_RETRY_DELAYS: '0,60' } });
  const { key, token, center } = await makeStage(running.app);
  let status = 500;
  const { url, received } = await consumer((_, response) => {
    response.writeHead(status).end();
  });
  const { id } = await subscribe(running, key, url);
  const failed = await emitEvent(running.app, center.id, 'dpu.verified');
  await deliveryBecomes(running, key, id, (each) => each.eventId === failed);
  status = 200;
  const good = await emitEvent(running.app, center.id);
  await deliveryBecomes(running, key, id, (each) => each.eventId === good && each.status === 'success');
  const query = `query ($id: ID!, $status: DeliveryStatus, $type: String) {
    webhook(id: $id) { failingSince deliveries(status: $status, eventType: $type) { edges { node { eventId payload } } } }
  }`;
  const found = async (variables: object) => {
    const { data } = await running.graphql(query, { id, ...variables }, token);
    return data.webhook.deliveries.edges.map(({ node }: { node: { eventId: string } }) => node.eventId);
  };
  expect(await found({})).toEqual([good, failed]);
  expect(await found({ status: 'failed' })).toEqual([failed]);
  expect(await found({ status: 'success' })).toEqual([good]);
  expect(await found({ type: 'dpu.verified' })).toEqual([failed]);
  const { data } = await running.graphql(query, { id, status: 'success' }, token);
  expect(data.webhook.failingSince).toBeNull();
  expect(data.webhook.deliveries.edges[0].node.payload).toEqual(received.at(-1)!.body);
});
