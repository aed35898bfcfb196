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
  'The result of the last attempt of a delivery.',
  {
    success: 'The consumer accepted it.',
    failed: 'The consumer did not respond with success.',
  },
);

const DeliveryAttempt = builder.prismaObject('DeliveryAttempt', {
  description: 'A request to deliver an event to a webhook.',
  fields: (t) => ({
    ...columns(t, {
      number: 'The number of the attempt, from 1.',
      startedAt: 'When it was sent.',
      durationMs: 'The duration in milliseconds.',
      responseStatus: 'The HTTP status, or null without a response.',
      responseBody: 'The first 1 KiB of the response.',
      error: 'The error, if there was no complete response.',
    }),
  }),
});

export const Delivery = builder.prismaObject('Delivery', {
  description: 'A delivery of an event to a webhook.',
  fields: (t) => ({
    ...columns(t, {
      deliveredAt: 'When the consumer accepted it, or null.',
      lastAttemptAt: 'When the last attempt was made, or null.',
      responseStatus: 'The HTTP status of the last attempt; null without a response.',
      attempts: 'The number of attempts.',
    }),
    webhookId: t.exposeID('webhookId', { description: 'The webhook.' }),
    eventId: t.exposeID('eventId', { description: 'The id of the event.' }),
    eventType: t.string({
      description: 'The type of the event.',
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
      description: 'The result of the last attempt.',
      select: { status: true },
      resolve: ({ status }) => (status === 'success' ? 'success' : 'failed'),
    }),
    nextRetryAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next attempt is due, or null.',
    }),
    attemptLog: t.relation('attemptLog', {
      type: DeliveryAttempt,
      description: 'The attempts, newest first, at most 50.',
      query: { orderBy: { number: 'desc' }, take: 50 },
    }),
  }),
});

const EventRetry = builder.objectRef<Awaited<ReturnType<typeof retryEvent>>>('EventRetry').implement({
  description: 'An event that is redelivered.',
  fields: (t) => ({
    eventId: t.exposeID('eventId', { description: 'The event.' }),
    deliveries: t.prismaField({
      type: [Delivery],
      description: 'The redelivered deliveries.',
      resolve: (query, { eventId, webhookIds }, __, ctx) =>
        ctx.db.delivery.findMany({ ...query, where: { eventId, webhookId: { in: webhookIds } } }),
    }),
  }),
});

const RetryEventInput = inputType(
  'RetryEventInput',
  z.object({ eventId: z.string().describe('The id of the event.') }),
  {
    description: 'An event to redeliver.',
    types: { eventId: 'ID' },
  },
);

builder.mutationField('retryEvent', (t) =>
  t.field({
    type: EventRetry,
    description:
      'Redelivers an event to the webhooks it has not reached, or to all of them if it has reached all.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write', feature: 'webhooks' } },
    args: inputArg(RetryEventInput, 'The event to redeliver.'),
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
