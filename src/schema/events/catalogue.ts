import { type EventType, eventCatalogue, eventTypes, payloadSchema } from '../../domain/events/catalogue.ts';
import { builder } from '../builder.ts';

/** One kind of event as subscribers read about it. */
export interface EventKindInfo {
  type: EventType;
  description: string;
  example: unknown;
  schema: Record<string, unknown>;
}

export const eventKinds: EventKindInfo[] = eventTypes.map((type) => ({
  type,
  description: eventCatalogue[type].description,
  example: eventCatalogue[type].example,
  schema: payloadSchema(type),
}));

const EventKind = builder.objectRef<EventKindInfo>('EventKind').implement({
  description: 'A type of event that webhooks can subscribe to.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'The name of the type, as webhooks and workflows use it.' }),
    description: t.exposeString('description', { description: 'What has to happen for such an event.' }),
    example: t.expose('example', { type: 'JSON', description: 'What `data` can look like.' }),
    schema: t.expose('schema', { type: 'JSON', description: 'The JSON schema of `data`.' }),
  }),
});

builder.queryField('eventCatalogue', (t) =>
  t.field({
    type: [EventKind],
    description: 'Every type of event, with an example and the schema of its data.',
    authScopes: { access: { public: true } },
    resolve: () => eventKinds,
  }),
);
