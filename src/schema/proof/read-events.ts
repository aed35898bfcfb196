import type { Message } from '../../db/bus.ts';
import { everyRole } from '../../domain/access.ts';
import { announcedIds, decisionsTopic } from '../../domain/announcements.ts';
import { currentCenterId } from '../../domain/context.ts';
import { requireSeat } from '../../domain/decisions/approve/seats.ts';
import { findDecisionsInput } from '../../domain/decisions/input.ts';
import {
  countDecisionsByDay,
  type DecisionDay as Day,
  MOST_DAYS,
} from '../../domain/decisions/read/counts.ts';
import {
  countDecisionEvents,
  type EventPage,
  type EventSummary,
  findDecisionEvents,
  getDecisionEvent,
  listDecisionEvents,
  sliceDecisionEvents,
} from '../../domain/decisions/read/list-events.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { DecisionEventStatus, DecisionEventType } from '../decision-enums.ts';
import { onlyProperties } from '../exposed.ts';
import { inputType } from '../input-types.ts';
import { counted } from '../paging.ts';
import { queryLimits } from '../query-limits.ts';
import { DecisionActor, DecisionEvent, ownReaders } from './decision-event.ts';

const DecisionEventFilter = inputType('DecisionEventFilter', findDecisionsInput, {
  description: 'Filters for decision events. All conditions must match.',
  types: { type: DecisionEventType, status: DecisionEventStatus, statuses: DecisionEventStatus },
  descriptions: {
    type: 'Only decisions of this kind.',
    tag: 'Only decisions that have exactly this tag.',
    statuses: 'Only decisions with one of these statuses.',
    search: 'Only decisions with this text in the action, description, actor, a tag or an id.',
    from: 'Only decisions recorded from this time on.',
    to: 'Only decisions recorded before this time.',
  },
});

const OffsetPagination = builder.objectRef<EventPage['info']>('OffsetPagination').implement({
  description: 'The position in a list that is read by offset.',
  fields: onlyProperties({
    total: ['Int', 'How many items the whole list has, with its filters applied.'],
    limit: ['Int', 'The maximum number of items per page, 1 to 100.'],
    offset: ['Int', 'How many items before this page were skipped.'],
    hasMore: ['Boolean', 'Whether there are items after this page.'],
  }),
});

const ListedAction = builder.objectRef<EventSummary['action']>('ListedAction').implement({
  description: 'The action of a decision in a list, without its content.',
  fields: onlyProperties({ type: ['String', 'The action type, such as `refund.grant`.'] }),
});

const DecisionEventSummary = builder.objectRef<EventSummary>('DecisionEventSummary').implement({
  description: 'A decision event in a list, without the content of its action.',
  fields: onlyProperties({
    id: ['ID', 'The id of the decision event, `evt_…`.'],
    decisionId: ['String', "The caller's id of the decision: its idempotency key, or a generated one."],
    type: [DecisionEventType, 'What kind of decision it is.'],
    status: [DecisionEventStatus, 'Whether it waits, is sealed or was rejected.'],
    actor: [DecisionActor, 'Who or what decided.'],
    action: [ListedAction, 'The action that was decided, without its content.'],
    tags: ['[String]', 'Tags to search by; empty once they are erased.'],
    createdAt: ['DateTime', 'When the event was recorded, in UTC.'],
    updatedAt: ['DateTime', 'When its status last changed, in UTC.'],
  }),
});

const DecisionEventPage = builder.objectRef<EventPage>('DecisionEventPage').implement({
  description: 'A page of decision events by offset.',
  fields: (t) => ({
    items: t.expose('items', { type: [DecisionEventSummary], description: 'The events, newest first.' }),
    pagination: t.field({
      type: OffsetPagination,
      description: 'The position of this page in the list.',
      resolve: ({ info }) => info,
    }),
  }),
});

builder.queryFields((t) => ({
  decisionEvent: t.field({
    type: DecisionEvent,
    description:
      'A decision event of the center. Requires ADMIN, or membership in a group with an open seat.',
    authScopes: { access: { ...ownReaders, roles: everyRole } },
    args: { id: t.arg.id({ required: true, description: 'The id of the decision event, `evt_…`.' }) },
    resolve: async (_, { id }, ctx) => {
      const event = await getDecisionEvent(ctx, String(id));
      await requireSeat(ctx, event, 'read');
      return event;
    },
  }),
  decisionEventPage: t.field({
    type: DecisionEventPage,
    description: 'Decision events of the center by offset, newest first.',
    extensions: { fromReplica: true },
    authScopes: { access: ownReaders },
    args: {
      filter: t.arg({
        type: DecisionEventFilter,
        description: 'Filters. Default: all decision events.',
      }),
      limit: t.arg.int({
        defaultValue: 20,
        required: true,
        description: 'How many items to return, 1 to 100. Default: 20.',
      }),
      offset: t.arg.int({
        defaultValue: 0,
        required: true,
        description: 'How many items to skip, from 0. Default: 0.',
      }),
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
      extensions: { fromReplica: true },
      authScopes: { access: ownReaders },
      args: {
        filter: t.arg({
          type: DecisionEventFilter,
          description: 'Filters. Default: all decision events.',
        }),
      },
      resolve: async (_, { filter, ...args }, ctx) => ({
        ...(await connectionById('evt', args, (window) => sliceDecisionEvents(ctx, filter ?? {}, window))),
        totalCount: () => countDecisionEvents(ctx, filter ?? {}),
      }),
    },
    {
      name: 'DecisionEventConnection',
      description: 'A page of a list with cursors.',
      ...counted('How many decision events match the filter.'),
    },
    {
      name: 'DecisionEventEdge',
      description: 'An object of a list, with the cursor that continues from it.',
    },
  ),
}));

builder.subscriptionField('decisionEvents', (t) =>
  t.field({
    type: [DecisionEvent],
    description: 'New decision events of the center and changes of status.',
    authScopes: { access: { roles: ['ADMIN'] } },
    subscribe: (_, __, ctx) => ctx.app.bus.subscribe(decisionsTopic(currentCenterId(ctx))),
    resolve: (message: Message, _, ctx) => findDecisionEvents(ctx, announcedIds(message)),
  }),
);

const DecisionDay = builder.objectRef<Day>('DecisionDay').implement({
  description: 'Decisions recorded on one day, by current status.',
  fields: onlyProperties({
    day: ['Date', "The date in the center's time zone."],
    recorded: ['Int', 'How many of them still wait for an approval.'],
    approved: ['Int', 'How many of them wait for a further approval.'],
    sealed: ['Int', 'How many of them are approved and sealed.'],
    rejected: ['Int', 'How many of them were rejected, withdrawn or expired.'],
  }),
});

builder.queryField('decisionsByDay', (t) =>
  t.field({
    type: [DecisionDay],
    description: `Counts of decisions, day by day in the center's time zone; at most ${MOST_DAYS} days.`,
    extensions: { fromReplica: true },
    authScopes: { access: { roles: ['ADMIN'] } },
    complexity: 20,
    args: {
      from: t.arg({ type: 'Date', required: true, description: "The first day, in the center's time zone." }),
      to: t.arg({
        type: 'Date',
        required: true,
        description: "The last day, in the center's time zone; at most 366 days.",
      }),
    },
    resolve: (_, days, ctx) => countDecisionsByDay(ctx, days),
  }),
);
