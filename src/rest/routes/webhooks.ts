import { z } from 'zod';
import { createWebhookInput, eventPattern, webhookChanges } from '../../domain/webhooks/input.ts';
import { recoverInput } from '../../domain/webhooks/recover.ts';
import { doc, example } from '../../lib/doc.ts';
import { opaqueId } from '../../lib/text.ts';
import { graphql } from '../../schema/document.ts';
import { eventKinds } from '../../schema/events/events.ts';
import { nodesOf } from '../envelope.ts';
import { routesOf } from '../route.ts';
import { ids, oneOf, pageLimit, proofData, timestamp } from '../schemas.ts';

const eventType = oneOf(eventKinds.map(({ type }) => type)).meta({ id: 'EventType' });

const webhook = z
  .object({
    id: z.string().meta(ids.webhook),
    url: z.string().meta(example('https://hooks.shop.example/countersign')),
    events: z
      .array(eventPattern)
      .meta(
        doc('The subscribed events: types, prefixes followed by `.*`, or `*`.', ['dpu.sealed', 'payment.*']),
      ),
    description: z.string().meta(example('Tells the warehouse about refunds')),
    active: z.boolean().meta(example(true)),
    deactivatedReason: z
      .string()
      .nullable()
      .meta(doc('Why its deliveries were switched off automatically; null if they were not.', null)),
    lastDeliveryAt: timestamp
      .nullable()
      .describe('When the last delivery was attempted, in UTC; null before the first.'),
    lastDeliveryStatus: z.string().nullable().meta(example('success')),
    createdAt: timestamp,
  })
  .meta({ id: 'Webhook' });
const WEBHOOK =
  'id url events description active deactivatedReason lastDeliveryAt lastDeliveryStatus createdAt';

const registered = webhook
  .pick({ id: true, url: true, events: true, active: true, createdAt: true })
  .extend({
    signingSecret: z
      .string()
      .meta(
        doc(
          'The secret that signs deliveries (HMAC-SHA256), shown only once.',
          'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
        ),
      ),
  })
  .meta({ id: 'RegisteredWebhook', graphqlType: 'Webhook' });

const delivery = z
  .object({
    eventId: z.string().meta(ids.event),
    eventType,
    deliveredAt: timestamp.nullable(),
    status: z.enum(['success', 'failed']),
    responseStatus: z.int().nullable().meta(example(200)),
    attempts: z.int().meta(example(1)),
    nextRetryAt: timestamp.nullable(),
  })
  .meta({ id: 'Delivery' });
const DELIVERY = 'eventId eventType deliveredAt status responseStatus attempts nextRetryAt';

const webhookId = z.object({ webhookId: opaqueId.meta(ids.webhook) });
const eventId = z.object({
  eventId: opaqueId.meta(doc('The id of the event, `msg_…`.', 'msg_01k9zq2m0000000000000000m1')),
});

const route = routesOf({ tag: 'Webhooks', auth: 'key', countsAsWebhooks: true });

export const webhookRoutes = [
  route({
    method: 'POST',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    summary: 'Create a webhook; the response is the only one with its signing secret',
    body: createWebhookInput,
    document: graphql(`
      mutation ($input: CreateWebhookInput!) {
        createWebhook(input: $input) { signingSecret webhook { id url events active createdAt } }
      }`),
    variables: ({ body }) => ({ input: body }),
    project: ({ createWebhook }) => ({
      ...createWebhook.webhook,
      signingSecret: createWebhook.signingSecret,
    }),
    response: registered,
    status: 201,
  }),
  route({
    method: 'GET',
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    summary: "The center's webhooks, newest first",
    document: graphql(`query { webhooks(first: 100) { edges { node { ${WEBHOOK} } } } }`),
    project: ({ webhooks }) => ({ data: nodesOf(webhooks) }),
    response: proofData(z.array(webhook)),
  }),
  route({
    method: 'PATCH',
    path: '/v1/webhooks/{webhookId}',
    operationId: 'updateWebhook',
    summary: 'Change a webhook, or switch its deliveries on or off',
    params: webhookId,
    body: webhookChanges,
    document: graphql(
      `mutation ($input: UpdateWebhookInput!) { updateWebhook(input: $input) { ${WEBHOOK} } }`,
    ),
    variables: ({ params, body }) => ({ input: { id: params.webhookId, changes: body } }),
    project: ({ updateWebhook }) => ({ data: updateWebhook }),
    response: proofData(webhook),
  }),
  route({
    method: 'DELETE',
    path: '/v1/webhooks/{webhookId}',
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook; nothing more is sent',
    params: webhookId,
    document: graphql('mutation ($input: WebhookRef!) { deleteWebhook(input: $input) { id } }'),
    variables: ({ params }) => ({ input: { id: params.webhookId } }),
    project: () => null,
    response: null,
    status: 204,
  }),
  route({
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/rotate-secret',
    operationId: 'rotateWebhookSecret',
    summary: 'Create a new signing secret; the old one stays valid for 24 hours',
    params: webhookId,
    document: graphql(`
      mutation ($input: WebhookRef!) { rotateWebhookSecret(input: $input) { signingSecret webhook { id } } }`),
    variables: ({ params }) => ({ input: { id: params.webhookId } }),
    project: ({ rotateWebhookSecret: { webhook, signingSecret } }) => ({ id: webhook.id, signingSecret }),
    response: registered.pick({ id: true, signingSecret: true }),
  }),
  route({
    method: 'POST',
    path: '/v1/webhooks/events/{eventId}/retry',
    operationId: 'retryEvent',
    summary: 'Send an event again at once, to the webhooks it has not reached, else to all',
    params: eventId,
    document: graphql(`
      mutation ($input: RetryEventInput!) {
        retryEvent(input: $input) { eventId deliveries { ${DELIVERY} } }
      }`),
    variables: ({ params }) => ({ input: { eventId: params.eventId } }),
    project: ({ retryEvent }) => ({ data: retryEvent }),
    response: proofData(
      z
        .object({ eventId: z.string().meta(ids.event), deliveries: z.array(delivery) })
        .meta({ graphqlType: 'EventRetry' }),
    ),
  }),
  route({
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/test',
    operationId: 'testWebhook',
    summary: 'Send the example of an event type to one webhook',
    params: webhookId,
    body: z.strictObject({ type: eventType.describe('The type of the sample event, such as `dpu.sealed`.') }),
    document: graphql(`
      mutation ($input: SendSampleEventInput!) { sendSampleEvent(input: $input) { eventId } }`),
    variables: ({ params, body }) => ({ input: { webhookId: params.webhookId, type: body.type } }),
    project: ({ sendSampleEvent }) => ({ data: sendSampleEvent }),
    response: proofData(z.object({ eventId: z.string().meta(ids.event) })),
    status: 202,
  }),
  route({
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/recover',
    operationId: 'recoverWebhook',
    summary: 'Send again what a webhook missed since a time',
    params: webhookId,
    body: z.strictObject({
      since: timestamp.meta(doc('Only deliveries of events from this time on.', '2026-11-15T00:00:00.000Z')),
      scope: recoverInput.shape.scope
        .default('FAILED')
        .meta(doc('Whether to repeat failed deliveries only, or all. Default: FAILED.', 'FAILED')),
      until: timestamp
        .optional()
        .meta(
          doc(
            'Only deliveries whose last attempt was before this time. Send it again to continue.',
            '2026-11-15T09:30:00.000Z',
          ),
        ),
    }),
    document: graphql(`
      mutation ($input: RecoverWebhookInput!) { recoverWebhook(input: $input) { queued hasMore until } }`),
    variables: ({ params, body }) => ({ input: { webhookId: params.webhookId, ...body } }),
    project: ({ recoverWebhook }) => ({ data: recoverWebhook }),
    response: proofData(
      z
        .object({
          queued: z.int().meta(example(12)),
          hasMore: z.boolean().meta(example(false)),
          until: timestamp.meta(example('2026-11-15T09:30:00.000Z')),
        })
        .meta({ graphqlType: 'Recovery' }),
    ),
    status: 202,
  }),
  route({
    method: 'GET',
    path: '/v1/webhooks/{webhookId}/deliveries',
    operationId: 'listDeliveries',
    summary: 'What was sent to a webhook, newest first',
    params: webhookId,
    query: z.object({
      limit: pageLimit.default(20).meta(doc('How many items to return, 1 to 100. Default: 20.', 20)),
    }),
    document: graphql(`
      query ($id: ID!, $limit: Int!) {
        webhook(id: $id) { deliveries(first: $limit) { edges { node { ${DELIVERY} } } } }
      }`),
    variables: ({ params, query }) => ({ id: params.webhookId, limit: query.limit }),
    project: ({ webhook: { deliveries } }) => ({
      data: nodesOf(deliveries),
    }),
    response: proofData(z.array(delivery)),
  }),
];
