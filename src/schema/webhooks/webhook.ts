import type { DefaultConnectionArguments } from '@pothos/plugin-relay';
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../api/request-context.ts';
import { deliveredEvents } from '../../domain/webhooks/deliveries.ts';
import { MAX_WEBHOOKS, requireWebhook } from '../../domain/webhooks/manage.ts';
import { DomainError } from '../../lib/errors.ts';
import { MOST_COUNTED, newestFirst } from '../../lib/paging.ts';
import { makePageLoader } from '../batched-connection.ts';
import { builder } from '../builder.ts';
import { byOwnersId, connectionOf, rowsById } from '../connections.ts';
import { columns } from '../exposed.ts';
import { counted } from '../paging.ts';
import { Delivery, DeliveryStatus } from './delivery.ts';

const deliveriesOf = makePageLoader({
  keys: deliveredEvents,
  rows: (ctx, selection, pages) =>
    ctx.db.delivery.findMany({
      ...selection,
      where: { OR: pages.map(([webhookId, eventIds]) => ({ webhookId, eventId: { in: eventIds } })) },
    }),
  ownerOf: ({ webhookId }) => webhookId,
  keyOf: ({ eventId }) => eventId,
});

type DeliveryArguments = DefaultConnectionArguments & Parameters<typeof deliveredEvents>[3];

const deliveryConnection = (
  owner: string,
  { status, eventType, ...args }: DeliveryArguments,
  ctx: RequestContext,
  info: GraphQLResolveInfo,
) =>
  connectionOf({
    args,
    ...byOwnersId(owner, 'msg', ({ eventId }: { eventId: string }) => eventId),
    load: (window) => deliveriesOf(ctx, info, { owner, window, filter: { status, eventType } }),
  });

export const Webhook = builder.prismaNode('Webhook', {
  id: { field: 'id', description: 'The id of the webhook, `whk_…`.' },
  description: "A webhook: a subscription to the center's events.",
  authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:read', feature: 'webhooks' } },
  findUnique: (id) => ({ id, deletedAt: null }),
  fields: (t) => ({
    ...columns(t, {
      url: 'The URL that receives events.',
      events: 'The subscribed events: types, prefixes followed by `.*`, or `*`.',
      description: 'What the webhook is for, in the words of the center; may be empty.',
      active: 'Whether deliveries are sent.',
      deactivatedReason: 'Why its deliveries were switched off automatically; null if they were not.',
      failingSince: 'When its deliveries started to fail; null after a success.',
      lastDeliveryAt: 'When the last delivery was attempted, in UTC; null before the first.',
      lastDeliveryStatus: 'The result of the last delivery: `success` or `failed`; null before the first.',
      previousSecretExpiresAt: 'Until when the previous signing secret is valid, in UTC; null without one.',
      createdAt: 'When the webhook was created, in UTC.',
    }),
    deliveries: t.connection({
      type: Delivery,
      description: 'Its deliveries, newest first, from the first attempt on.',
      args: {
        status: t.arg({
          type: DeliveryStatus,
          description: 'Only deliveries whose last attempt had this result.',
        }),
        eventType: t.arg.string({ description: 'Only deliveries of this event type.' }),
      },
      resolve: ({ id }, args, ctx, info) => deliveryConnection(id, args, ctx, info),
    }),
  }),
});

builder.queryFields((t) => ({
  webhooks: t.connection(
    {
      type: Webhook,
      description: `The center's webhooks, newest first; at most ${MAX_WEBHOOKS} exist.`,
      extensions: { fromReplica: true },
      authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:read', feature: 'webhooks' } },
      resolve: async (_, args, ctx, info) => ({
        ...(await rowsById('whk', { args, ctx, info }, (window, query) =>
          ctx.db.webhook.findMany({ ...query, ...newestFirst(window, { deletedAt: null }) }),
        )),
        totalCount: () => ctx.db.webhook.count({ where: { deletedAt: null }, take: MOST_COUNTED }),
      }),
    },
    counted(),
  ),
  webhookDeliveries: t.connection({
    type: Delivery,
    description: 'The deliveries of a webhook, newest first.',
    extensions: { fromReplica: true },
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:read', feature: 'webhooks' } },
    args: {
      webhookId: t.arg.id({ required: true, description: 'The id of the webhook, `whk_…`.' }),
      status: t.arg({
        type: DeliveryStatus,
        description: 'Only deliveries whose last attempt had this result.',
      }),
      eventType: t.arg.string({ description: 'Only deliveries of this event type.' }),
    },
    resolve: async (_, { webhookId, ...args }, ctx, info) => {
      const { id } = await requireWebhook(ctx.db, String(webhookId));
      return deliveryConnection(id, args, ctx, info);
    },
  }),
  webhookDelivery: t.prismaField({
    type: Delivery,
    description: 'The delivery of an event to a webhook.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:read', feature: 'webhooks' } },
    args: {
      webhookId: t.arg.id({ required: true, description: 'The id of the webhook, `whk_…`.' }),
      eventId: t.arg.id({ required: true, description: 'The id of the event, `msg_…`.' }),
    },
    resolve: async (query, _, args, ctx) => {
      const key = { webhookId: String(args.webhookId), eventId: String(args.eventId) };
      const where = { webhookId_eventId: key, attempts: { gt: 0 }, webhook: { deletedAt: null } };
      const found = await ctx.db.delivery.findUnique({ ...query, where });
      if (!found) throw new DomainError('NOT_FOUND', 'Delivery not found.');
      return found;
    },
  }),
  webhook: t.prismaField({
    type: Webhook,
    description: 'One webhook of the center.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:read', feature: 'webhooks' } },
    args: { id: t.arg.id({ required: true, description: 'The id of the webhook, `whk_…`.' }) },
    resolve: async (query, _, { id }, ctx) => {
      const where = { id: String(id), deletedAt: null };
      return (
        (await ctx.db.webhook.findUnique({ ...query, where })) ?? (await requireWebhook(ctx.db, String(id)))
      );
    },
  }),
}));
