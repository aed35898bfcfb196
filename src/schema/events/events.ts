import { currentCenterId } from '../../domain/context.ts';
import { eventsTopic } from '../../domain/events/outbox.ts';
import { eventTypes } from '../../domain/events/types.ts';
import { MOST_COUNTED } from '../../lib/paging.ts';
import { builder } from '../builder.ts';
import { keyedBy } from '../cursors.ts';
import { TOTAL_COUNT, totalOf } from '../total-count.ts';

const PlatformEvent = builder.prismaObject('PlatformEvent', {
  description: 'Something that happened in the center, as webhooks tell it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the event; the same in every delivery of it.' }),
    type: t.exposeString('type', { description: `What happened: ${eventTypes.join(', ')}.` }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
    data: t.expose('data', { type: 'JSON', description: 'The facts; their shape depends on the type.' }),
  }),
});

builder.queryField('events', (t) =>
  t.prismaConnection(
    {
      type: PlatformEvent,
      cursor: 'id',
      extensions: keyedBy('msg'),
      description: 'What happened in the center, newest first.',
      authScopes: { access: { roles: ['ADMIN'] } },
      args: { type: t.arg.string({ description: 'Only events of this type.' }) },
      totalCount: (_, { type }, ctx) =>
        ctx.db.platformEvent.count({ where: type ? { type } : {}, take: MOST_COUNTED }),
      resolve: (query, _, { type }, ctx) =>
        ctx.db.platformEvent.findMany({ ...query, where: type ? { type } : {}, orderBy: { id: 'desc' } }),
    },
    { fields: (f) => ({ totalCount: f.int({ description: TOTAL_COUNT, resolve: totalOf }) }) },
  ),
);

builder.subscriptionField('events', (t) =>
  t.prismaField({
    type: PlatformEvent,
    nullable: true,
    description: 'What happens in the center, while it happens; null for an event that is gone already.',
    authScopes: { access: { roles: ['ADMIN'] } },
    subscribe: (_, __, ctx) => ctx.app.bus.subscribe(eventsTopic(currentCenterId(ctx))),
    resolve: (query, { id }: { id: string }, _, ctx) =>
      ctx.db.platformEvent.findUnique({ ...query, where: { id } }),
  }),
);
