import { emitEvent } from '../webhooks/stage.ts';
import type { Examples, RouteStage } from './stage.ts';

const subscription = {
  url: 'http://127.0.0.1:9/hook',
  events: ['payment.*'],
  description: 'mine',
  active: true,
};

/** The id of a webhook of the stage's own center. */
async function registeredWebhook({ running, tokens }: RouteStage): Promise<string> {
  const { body } = await running.call('POST', '/v1/webhooks', { token: tokens.key, body: subscription });
  return body.id;
}

/** The id of an event that happened in the stage's own center. */
async function emittedEvent({ running, center }: RouteStage): Promise<string> {
  return emitEvent(running.app, center.id);
}

/** Calls that succeed: webhooks and their deliveries. */
export const webhookExamples: Examples = {
  createWebhook: () => ({ caller: 'key', body: subscription }),
  deleteWebhook: async (stage) => ({ caller: 'key', params: { webhookId: await registeredWebhook(stage) } }),
  listDeliveries: async (stage) => ({
    caller: 'key',
    params: { webhookId: await registeredWebhook(stage) },
    query: { limit: '5' },
  }),
  listWebhooks: () => ({ caller: 'key' }),
  recoverWebhook: async (stage) => ({
    caller: 'key',
    params: { webhookId: await registeredWebhook(stage) },
    body: { since: '2026-01-01T00:00:00.000Z', scope: 'ALL', until: new Date().toISOString() },
  }),
  testWebhook: async (stage) => ({
    caller: 'key',
    params: { webhookId: await registeredWebhook(stage) },
    body: { type: 'payment.completed' },
  }),
  retryEvent: async (stage) => ({ caller: 'key', params: { eventId: await emittedEvent(stage) } }),
  rotateWebhookSecret: async (stage) => ({
    caller: 'key',
    params: { webhookId: await registeredWebhook(stage) },
  }),
  updateWebhook: async (stage) => ({
    caller: 'key',
    params: { webhookId: await registeredWebhook(stage) },
    body: { events: ['*'], active: false },
  }),
};
