import { filter, pipe } from 'graphql-yoga';
import type { Message } from '../../db/bus.ts';
import { currentCenterId } from '../../domain/context.ts';
import { announcedKeys, deliveriesTopic } from '../../domain/webhooks/live.ts';
import { builder } from '../builder.ts';
import { Delivery } from './delivery.ts';

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
