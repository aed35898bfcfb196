import { filter, pipe } from 'graphql-yoga';
import type { Message } from '../../db/bus.ts';
import * as enums from '../../db/generated/prisma/enums.ts';
import { currentCenterId } from '../../domain/context.ts';
import { announcedKeys, deliveriesTopic, retryEvent } from '../../domain/webhooks/deliveries.ts';
import { builder } from '../builder.ts';
import { worded } from '../enum-values.ts';

const { pending: _, ...shown } = enums.DeliveryStatus;

export const DeliveryStatus = builder.enumType('DeliveryStatus', {
  description: 'How the last attempt of a delivery went.',
  values: worded<keyof typeof shown>({
    success: 'The consumer accepted it.',
    failed: 'The consumer did not answer, or not with success.',
  }),
});

const DeliveryAttempt = builder.prismaObject('DeliveryAttempt', {
  description: 'One request that was made to bring an event to a webhook.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Which one it was, counted from 1.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it was sent.' }),
    durationMs: t.exposeInt('durationMs', { description: 'How long it took, in milliseconds.' }),
    responseStatus: t.exposeInt('responseStatus', {
      nullable: true,
      description: 'The HTTP status that came back; null when none did.',
    }),
    responseBody: t.exposeString('responseBody', {
      nullable: true,
      description: 'The first 1 KiB of what came back.',
    }),
    error: t.exposeString('error', { nullable: true, description: 'Why no whole response came back.' }),
  }),
});

export const Delivery = builder.prismaObject('Delivery', {
  description: 'One event on its way to one webhook.',
  fields: (t) => ({
    webhookId: t.exposeID('webhookId', { description: 'The webhook that it goes to.' }),
    eventId: t.exposeID('eventId', { description: 'The id of the event that it carries.' }),
    eventType: t.string({
      description: 'The type of the event that it carries.',
      select: { event: { select: { type: true } } },
      resolve: ({ event }) => event.type,
    }),
    payload: t.field({
      type: 'JSON',
      description: 'What is sent: id, type, createdAt, data and deliveryAttempt, as of the last attempt.',
      select: { attempts: true, event: true },
      resolve: ({ attempts, event }) => ({
        id: event.id,
        type: event.type,
        createdAt: event.createdAt.toISOString(),
        data: event.data,
        deliveryAttempt: Math.max(attempts, 1),
      }),
    }),
    deliveredAt: t.expose('deliveredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the consumer accepted it; null as long as it never did.',
    }),
    lastAttemptAt: t.expose('lastAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last attempt was made; null before the first.',
    }),
    status: t.field({
      type: DeliveryStatus,
      description: 'How the last attempt went.',
      select: { status: true },
      resolve: ({ status }) => (status === 'success' ? 'success' : 'failed'),
    }),
    responseStatus: t.exposeInt('responseStatus', {
      nullable: true,
      description: 'The HTTP status of the last attempt; null when no response came.',
    }),
    attempts: t.exposeInt('attempts', { description: 'How many attempts were made.' }),
    nextRetryAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next attempt is due; null when there will be none.',
    }),
    attemptLog: t.relation('attemptLog', {
      type: DeliveryAttempt,
      description: 'The attempts, newest first, at most 50.',
      query: { orderBy: { number: 'desc' }, take: 50 },
    }),
  }),
});

const EventRetry = builder.objectRef<Awaited<ReturnType<typeof retryEvent>>>('EventRetry').implement({
  description: 'An event that is being sent again.',
  fields: (t) => ({
    eventId: t.exposeID('eventId', { description: 'The event that is sent again.' }),
    deliveries: t.prismaField({
      type: [Delivery],
      description: 'Its deliveries that are attempted again.',
      resolve: (query, { eventId, webhookIds }, __, ctx) =>
        ctx.db.delivery.findMany({ ...query, where: { eventId, webhookId: { in: webhookIds } } }),
    }),
  }),
});

const RetryEventInput = builder.inputType('RetryEventInput', {
  description: 'An event to send again.',
  fields: (t) => ({ eventId: t.id({ required: true, description: 'The id of the event to send again.' }) }),
});

builder.mutationField('retryEvent', (t) =>
  t.field({
    type: EventRetry,
    description:
      'Sends an event again, at once, to the webhooks it has not reached; when it has reached all, to all of them.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write' } },
    args: {
      input: t.arg({ type: RetryEventInput, required: true, description: 'Which event to send again.' }),
    },
    resolve: (__, { input }, ctx) => retryEvent(ctx, String(input.eventId)),
  }),
);

builder.subscriptionField('webhookDeliveries', (t) =>
  t.prismaField({
    type: [Delivery],
    description: 'Deliveries that were just attempted, a few at a time under load.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: { webhookId: t.arg.id({ description: 'Only those of this webhook.' }) },
    subscribe: (_, { webhookId }, ctx) =>
      pipe(
        ctx.app.bus.subscribe(deliveriesTopic(currentCenterId(ctx))),
        filter((message: Message) => !webhookId || message.id === String(webhookId)),
      ),
    resolve: (query, message: Message, _, ctx) =>
      ctx.db.delivery.findMany({ ...query, where: announcedKeys(message), orderBy: { eventId: 'asc' } }),
  }),
);
