import type { Message } from '../../db/bus.ts';
import { everyRole } from '../../domain/access.ts';
import { announcedIds, decisionsTopic } from '../../domain/announcements.ts';
import { currentCenterId } from '../../domain/context.ts';
import { countDecisionsByDay, type DecisionDay as Day, MOST_DAYS } from '../../domain/proof/counts-by-day.ts';
import { type EventFilter, findDecisionsInput } from '../../domain/proof/input.ts';
import {
  countDecisionEvents,
  type EventPage,
  type EventSummary,
  findDecisionEvents,
  getDecisionEvent,
  listDecisionEvents,
  sliceDecisionEvents,
} from '../../domain/proof/list-events.ts';
import { requireSeat } from '../../domain/proof/seats.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { queryLimits } from '../query-limits.ts';
import { DecisionActor, DecisionEvent, ownReaders } from './decision-event.ts';
import { DecisionEventStatus, DecisionEventType } from './enums.ts';

const DecisionEventFilter = builder
  .inputType('DecisionEventFilter', {
    description: 'Which decision events to list; all conditions must hold.',
    fields: (t) => ({
      type: t.field({ type: DecisionEventType, description: 'Only decisions of this type.' }),
      status: t.field({ type: DecisionEventStatus, description: 'Only with this status.' }),
      tag: t.string({ description: 'Only with this tag.' }),
      statuses: t.field({ type: [DecisionEventStatus], description: 'Only with one of these statuses.' }),
      search: t.string({
        description: 'Only with these letters in the action, its description, the actor, a tag or an id.',
      }),
      from: t.field({ type: 'DateTime', description: 'Only recorded from this moment on.' }),
      to: t.field({ type: 'DateTime', description: 'Only recorded before this moment.' }),
    }),
  })
  .validate(findDecisionsInput);

const OffsetPagination = builder.objectRef<EventPage['info']>('OffsetPagination').implement({
  description: 'Where a page lies in the whole list.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'How many there are in all.' }),
    limit: t.exposeInt('limit', { description: 'How many a page holds at most.' }),
    offset: t.exposeInt('offset', { description: 'How many were passed over.' }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Whether there are more after this page.' }),
  }),
});

const ListedAction = builder.objectRef<EventSummary['action']>('ListedAction').implement({
  description: 'What was decided, in short.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'What kind of action, such as `refund.grant`.' }),
  }),
});

const DecisionEventSummary = builder.objectRef<EventSummary>('DecisionEventSummary').implement({
  description: 'A decision event as lists show it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the decision event.' }),
    decisionId: t.exposeString('decisionId', { description: "The caller's own id of the decision." }),
    type: t.expose('type', { type: DecisionEventType, description: 'What kind of decision it was.' }),
    status: t.expose('status', { type: DecisionEventStatus, description: 'Where it stands.' }),
    actor: t.expose('actor', { type: DecisionActor, description: 'Who or what decided.' }),
    action: t.expose('action', { type: ListedAction, description: 'What was decided.' }),
    tags: t.exposeStringList('tags', { description: 'Words to find it by.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was recorded.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When its status last changed.' }),
  }),
});

const DecisionEventPage = builder.objectRef<EventPage>('DecisionEventPage').implement({
  description: 'Decision events by offset, with how many there are.',
  fields: (t) => ({
    items: t.expose('items', { type: [DecisionEventSummary], description: 'The events, newest first.' }),
    pagination: t.field({
      type: OffsetPagination,
      description: 'Where the page lies.',
      resolve: ({ info }) => info,
    }),
  }),
});

builder.queryFields((t) => ({
  decisionEvent: t.field({
    type: DecisionEvent,
    description:
      'One decision event of the center: for ADMINs, and for members of a group with an open seat.',
    authScopes: { access: { ...ownReaders, roles: everyRole } },
    args: { id: t.arg.id({ required: true, description: 'The id of the decision event.' }) },
    resolve: async (_, { id }, ctx) => {
      const event = await getDecisionEvent(ctx, String(id));
      await requireSeat(ctx, event, 'read');
      return event;
    },
  }),
  decisionEventPage: t.field({
    type: DecisionEventPage,
    description: 'Decision events of the center by offset, newest first.',
    authScopes: { access: ownReaders },
    args: {
      filter: t.arg({
        type: DecisionEventFilter,
        description: 'Which decision events to list; all when left out.',
      }),
      limit: t.arg.int({ defaultValue: 20, required: true, description: 'At most so many, up to 100.' }),
      offset: t.arg.int({ defaultValue: 0, required: true, description: 'Pass over so many.' }),
    },
    resolve: (_, { filter, limit, offset }, ctx) =>
      listDecisionEvents(
        ctx,
        filter ?? {},
        Math.min(Math.max(limit, 1), queryLimits.pageSize),
        Math.max(offset, 0),
      ),
  }),
  decisionEvents: t.connection(
    {
      type: DecisionEvent,
      description: 'Decision events of the center, newest first.',
      authScopes: { access: ownReaders },
      args: {
        filter: t.arg({
          type: DecisionEventFilter,
          description: 'Which decision events to list; all when left out.',
        }),
      },
      resolve: async (_, { filter, ...args }, ctx) => {
        const chosen: EventFilter = filter ?? {};
        const connection = await connectionById('evt', args, (window) =>
          sliceDecisionEvents(ctx, chosen, window),
        );
        return { ...connection, filter: chosen };
      },
    },
    {
      name: 'DecisionEventConnection',
      description: 'A stretch of the list of decision events.',
      fields: (c) => ({
        totalCount: c.int({
          description: 'How many there are in all.',
          resolve: (connection, _, ctx) =>
            countDecisionEvents(ctx, (connection as unknown as { filter: EventFilter }).filter),
        }),
      }),
    },
    { name: 'DecisionEventEdge', description: 'One entry of the list of decision events.' },
  ),
}));

builder.subscriptionField('decisionEvents', (t) =>
  t.field({
    type: [DecisionEvent],
    description: 'Decision events of the center that are new, or whose status has just changed.',
    authScopes: { access: { roles: ['ADMIN'] } },
    subscribe: (_, __, ctx) => ctx.app.bus.subscribe(decisionsTopic(currentCenterId(ctx))),
    resolve: (message: Message, _, ctx) => findDecisionEvents(ctx, announcedIds(message)),
  }),
);

const DecisionDay = builder.objectRef<Day>('DecisionDay').implement({
  description: "The decisions recorded on one day of the center's calendar, by what has become of them.",
  fields: (t) => ({
    day: t.expose('day', { type: 'Date', description: "The day, in the center's time zone." }),
    recorded: t.exposeInt('recorded', { description: 'Those that still wait.' }),
    approved: t.exposeInt('approved', { description: 'Those that wait for a second approval.' }),
    sealed: t.exposeInt('sealed', { description: 'Those that are sealed.' }),
    rejected: t.exposeInt('rejected', { description: 'Those that were rejected.' }),
  }),
});

builder.queryField('decisionsByDay', (t) =>
  t.field({
    type: [DecisionDay],
    description: `Counts of decisions, day by day in the center's time zone; at most ${MOST_DAYS} days.`,
    authScopes: { access: { roles: ['ADMIN'] } },
    complexity: 20,
    args: {
      from: t.arg({ type: 'Date', required: true, description: 'The first day to count.' }),
      to: t.arg({ type: 'Date', required: true, description: 'The last day to count.' }),
    },
    resolve: (_, days, ctx) => countDecisionsByDay(ctx, days),
  }),
);
