import type { Message } from '../../db/bus.ts';
import { everyRole } from '../../domain/access.ts';
import { announcedIds, decisionsTopic } from '../../domain/announcements.ts';
import { currentCenterId } from '../../domain/context.ts';
import { type SeatView, seatsOf } from '../../domain/decisions/approve/seats.ts';
import {
  approvableForMe,
  approvalsForMe,
  countApprovalsForMe,
  MAX_WAITING_COUNTED,
  mayApproveAny,
  type WaitingApproval,
} from '../../domain/decisions/approve/waiting.ts';
import { namesOfGroups } from '../../domain/memberships/groups.ts';
import type { SeatReason } from '../../domain/policies/entitlements.ts';
import { filterAsync } from '../../lib/filter-async.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { connectionById, selectsRows } from '../connections.ts';
import { enumType } from '../enum-types.ts';
import { properties } from '../exposed.ts';
import { counted } from '../paging.ts';
import { ApproverAuthentication } from '../policies/policy.ts';
import { Approval } from './approvals.ts';
import { DecisionEvent } from './decision-event.ts';

const nameOfGroup = makeLoader(namesOfGroups);

const DecisionSeat = builder.objectRef<SeatView>('DecisionSeat').implement({
  description: 'A seat of the quorum that a decision needs, and who has filled it.',
  fields: (t) => ({
    ...properties(t, {
      index: ['Int', 'The number of the seat in the quorum, from 0.'],
      group: ['ID?', 'The id of the approval group that can fill it, `grp_…`; null for any person.'],
      count: ['Int', 'The number of different people that it needs.'],
      authentication: [ApproverAuthentication, 'The least authentication that its approvers need.'],
      filledBy: [[Approval], 'The approvals that count for this seat.'],
      open: ['Boolean', 'Whether people are still missing.'],
    }),
    groupName: t.string({
      nullable: true,
      description: 'The present name of the group; null for any person, or after the group was deleted.',
      resolve: async ({ group }, _, ctx) =>
        group === null ? null : ((await nameOfGroup(ctx, group)) ?? null),
    }),
  }),
});

const seatsOfOne = makeLoader(seatsOf);

builder.objectField(DecisionEvent, 'seats', (t) =>
  t.field({
    type: [DecisionSeat],
    complexity: 5,
    description: 'The seats of its quorum; empty without a quorum.',
    resolve: async (event, _, ctx) => (await seatsOfOne(ctx, event)) ?? [],
  }),
);

const WaitingReason = enumType<SeatReason>('WaitingReason', 'Why you can approve a decision.', {
  GROUP: 'A seat of one of your groups is open.',
  ANYONE: 'Any administrator can approve it, and any member of a group that its quorum names.',
  DELEGATION: 'You are a delegate of a member of the group.',
  ESCALATION: 'The decision was escalated to one of your groups.',
});

const WaitingApprovalRef = builder.objectRef<WaitingApproval>('WaitingApproval').implement({
  description: 'A decision that you can approve now.',
  fields: (t) => ({
    eventId: t.id({
      description: 'The id of the decision event, `evt_…`.',
      resolve: ({ event }) => event.id,
    }),
    event: t.expose('event', {
      type: DecisionEvent,
      description: 'The decision event, which is not final yet.',
    }),
    reason: t.expose('reason', { type: WaitingReason, description: 'What entitles you to approve it.' }),
  }),
});

builder.queryField('approvalsForMe', (t) =>
  t.connection(
    {
      type: WaitingApprovalRef,
      description: 'The decisions that you can approve now, newest first.',
      extensions: { fromReplica: true },
      authScopes: { access: { roles: everyRole } },
      resolve: async (_, args, ctx, info) => ({
        ...(await connectionById('evt', args, async (window) =>
          selectsRows(info) ? approvalsForMe(ctx, window) : [],
        )),
        totalCount: () => countApprovalsForMe(ctx),
      }),
    },
    counted(`The number of decisions that you can approve now; counting stops at ${MAX_WAITING_COUNTED}.`),
  ),
);

builder.subscriptionField('approvalsForMe', (t) =>
  t.field({
    type: [WaitingApprovalRef],
    description:
      'Decisions of the center that were recorded or changed, as far as you can approve them now. An empty list says that decisions changed which you cannot approve, or no longer.',
    authScopes: { access: { roles: everyRole } },
    subscribe: (_, __, ctx) =>
      filterAsync(ctx.app.bus.subscribe(decisionsTopic(currentCenterId(ctx))), () => mayApproveAny(ctx)),
    resolve: (message: Message, _, ctx) => approvableForMe(ctx, announcedIds(message)),
  }),
);
