import { currentCenterId } from '../../domain/context.ts';
import { type EventType, eventCatalog, eventTypes, payloadSchema } from '../../domain/events/catalog.ts';
import { eventsTopic } from '../../domain/events/outbox.ts';
import { type EventRange, recentEventsFirst } from '../../domain/events/recent-events.ts';
import { MOST_COUNTED, newestFirst } from '../../lib/paging.ts';
import { builder } from '../builder.ts';
import { rowsById } from '../connections.ts';
import { onlyProperties } from '../exposed.ts';
import { counted } from '../paging.ts';

/** A type of event, described for subscribers. */
export interface EventKindInfo {
  type: EventType;
  description: string;
  example: unknown;
  schema: Record<string, unknown>;
}

export const eventKinds: EventKindInfo[] = eventTypes.map((type) => ({
  type,
  description: eventCatalog[type].description,
  example: eventCatalog[type].example,
  schema: payloadSchema(type),
}));

const EventKind = builder.objectRef<EventKindInfo>('EventKind').implement({
  description: 'A type of event that webhooks can subscribe to.',
  fields: onlyProperties({
    type: ['String', 'The name of the type, such as `dpu.sealed`, as webhooks and workflows use it.'],
    description: ['String', 'When the event is emitted, in a sentence.'],
    example: ['JSON', 'An example of the member `data` of such an event.'],
    schema: ['JSON', 'The JSON Schema of the member `data` of such an event.'],
  }),
});

builder.queryField('eventCatalogue', (t) =>
  t.field({
    type: [EventKind],
    description: 'All event types with an example and a schema.',
    authScopes: { access: { public: true } },
    resolve: () => eventKinds,
  }),
);

const PlatformEvent = builder.prismaObject('PlatformEvent', {
  description: 'A platform event of the center, as delivered to webhooks.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the event, `msg_…`, identical in all deliveries.' }),
    type: t.exposeString('type', { description: `What happened: ${eventTypes.join(', ')}.` }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the event happened, in UTC.' }),
    data: t.expose('data', {
      type: 'JSON',
      description: 'What the event is about: its members depend on `type`, as `eventCatalogue` shows.',
    }),
  }),
});

builder.queryField('events', (t) =>
  t.connection(
    {
      type: PlatformEvent,
      description: 'The events of the center, newest first.',
      extensions: { fromReplica: true },
      authScopes: { access: { roles: ['ADMIN'] } },
      args: { type: t.arg.string({ description: 'Only events of this type.' }) },
      resolve: async (_, { type, ...args }, ctx, info) => {
        const filter = type ? { type } : {};
        const connection = await rowsById('msg', { args, ctx, info }, (window, query) => {
          const { where, ...page } = newestFirst(window, filter);
          const read = (range: EventRange | null) =>
            ctx.db.platformEvent.findMany({
              ...query,
              ...page,
              where: { AND: [where, ...(range ? [{ id: range }] : [])] },
            });
          // Read from the end, the oldest come first.
          if (window.inverted) return read(null);
          return recentEventsFirst(ctx.app.db, window.after, read, (rows) => rows.length >= window.limit);
        });
        return {
          ...connection,
          totalCount: () => ctx.db.platformEvent.count({ where: filter, take: MOST_COUNTED }),
        };
      },
    },
    counted(),
  ),
);

builder.subscriptionField('events', (t) =>
  t.prismaField({
    type: PlatformEvent,
    nullable: true,
    description: 'New events of the center; null for an event that no longer exists.',
    authScopes: { access: { roles: ['ADMIN'] } },
    subscribe: (_, __, ctx) => ctx.app.bus.subscribe(eventsTopic(currentCenterId(ctx))),
    resolve: (query, { id }: { id: string }, _, ctx) =>
      ctx.db.platformEvent.findUnique({ ...query, where: { id } }),
  }),
);
