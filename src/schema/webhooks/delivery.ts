import { filter, pipe } from 'graphql-yoga';
import { z } from 'zod';
import type { Message } from '../../db/bus.ts';
import * as enums from '../../db/generated/prisma/enums.ts';
import { currentCenterId } from '../../domain/context.ts';
import { announcedKeys, deliveriesTopic, retryEvent } from '../../domain/webhooks/deliveries.ts';
import { builder } from '../builder.ts';
import { enumType } from '../enum-types.ts';
import { columns } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';

const { pending: _, ...shown } = enums.DeliveryStatus;

export const DeliveryStatus = enumType<keyof typeof shown>(
  'DeliveryStatus',
  'Whether the last attempt of a delivery succeeded.',
  {
    success: 'The consumer answered with a status of 200 to 299 within 5 seconds.',
    failed: 'The consumer answered otherwise, too late or not at all.',
  },
);

const DeliveryAttempt = builder.prismaObject('DeliveryAttempt', {
  description: 'One request that delivered an event, or tried to.',
  fields: (t) => ({
    ...columns(t, {
      number: 'The number of the attempt, from 1.',
      startedAt: 'When the request was sent, in UTC.',
      durationMs: 'How long the request took, in milliseconds.',
      responseStatus: 'The HTTP status of the response; null if there was none.',
      responseBody: 'The first 1 KiB of the response; null if there was none, or if the event was erased.',
      error: 'What went wrong, if there was no complete response; null otherwise.',
    }),
  }),
});

export const Delivery = builder.prismaObject('Delivery', {
  description: 'An event on its way to a webhook, with its attempts.',
  fields: (t) => ({
    ...columns(t, {
      deliveredAt: 'When the consumer last accepted it, in UTC; null until then.',
      lastAttemptAt: 'When the last attempt was made, in UTC; null before the first.',
      responseStatus: 'The HTTP status of the last attempt; null without a response.',
      attempts: 'The number of attempts so far. After 7 failed ones in a row no more follow by themselves.',
    }),
    webhookId: t.exposeID('webhookId', { description: 'The id of the webhook, `whk_…`.' }),
    eventId: t.exposeID('eventId', { description: 'The id of the event, `msg_…`.' }),
    eventType: t.string({
      description: 'The type of the event, such as `dpu.sealed`.',
      select: { event: { select: { type: true } } },
      resolve: ({ event }) => event.type,
    }),
    payload: t.field({
      type: 'JSON',
      description: 'The payload: id, type, createdAt, data and deliveryAttempt, as of the last attempt.',
      select: { attempts: true, event: true },
      resolve: ({ attempts, event }) => ({
        id: event.id,
        type: event.type,
        createdAt: event.createdAt.toISOString(),
        data: event.data,
        deliveryAttempt: Math.max(attempts, 1),
      }),
    }),
    status: t.field({
      type: DeliveryStatus,
      description: 'Whether the last attempt succeeded.',
      select: { status: true },
      resolve: ({ status }) => (status === 'success' ? 'success' : 'failed'),
    }),
    nextRetryAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next attempt is due, in UTC; null if none is planned.',
    }),
    attemptLog: t.relation('attemptLog', {
      type: DeliveryAttempt,
      description: 'The attempts, newest first, at most 50.',
      query: { orderBy: { number: 'desc' }, take: 50 },
    }),
  }),
});

const EventRetry = builder.objectRef<Awaited<ReturnType<typeof retryEvent>>>('EventRetry').implement({
  description: 'An event and the webhooks that it is delivered to again.',
  fields: (t) => ({
    eventId: t.exposeID('eventId', { description: 'The id of the event, `msg_…`.' }),
    deliveries: t.prismaField({
      type: [Delivery],
      description: 'The deliveries that were queued again.',
      resolve: (query, { eventId, webhookIds }, __, ctx) =>
        ctx.db.delivery.findMany({ ...query, where: { eventId, webhookId: { in: webhookIds } } }),
    }),
  }),
});

const RetryEventInput = inputType(
  'RetryEventInput',
  z.object({ eventId: z.string().describe('The id of the event, `msg_…`.') }),
  {
    description: 'Which event to deliver again.',
    types: { eventId: 'ID' },
  },
);

builder.mutationField('retryEvent', (t) =>
  t.field({
    type: EventRetry,
    description:
      'Redelivers an event to the webhooks it has not reached, or to all of them if it has reached all.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write', feature: 'webhooks' } },
    args: inputArg(RetryEventInput, 'Which event to deliver again.'),
    resolve: (__, { input }, ctx) => retryEvent(ctx, input.eventId),
  }),
);

builder.subscriptionField('webhookDeliveries', (t) =>
  t.prismaField({
    type: [Delivery],
    description: 'Deliveries with a new attempt; several per message under load.',
    authScopes: { access: { roles: ['ADMIN'], feature: 'webhooks' } },
    args: { webhookId: t.arg.id({ description: 'Only deliveries of this webhook.' }) },
    subscribe: (_, { webhookId }, ctx) =>
      pipe(
        ctx.app.bus.subscribe(deliveriesTopic(currentCenterId(ctx))),
        filter((message: Message) => !webhookId || message.id === String(webhookId)),
      ),
    resolve: (query, message: Message, _, ctx) =>
      ctx.db.delivery.findMany({ ...query, where: announcedKeys(message), orderBy: { eventId: 'asc' } }),
  }),
);
