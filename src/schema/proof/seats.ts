import { everyRole } from '../../domain/access.ts';
import { namesOfGroups } from '../../domain/memberships/groups.ts';
import type { SeatReason } from '../../domain/policies/seating.ts';
import { type SeatView, seatsOf } from '../../domain/proof/seats.ts';
import { approvalsForMe, type WaitingApproval } from '../../domain/proof/waiting.ts';
import { loadTogether } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { worded } from '../enum-values.ts';
import { ApproverAuthentication } from '../policies/policy.ts';
import { Approval } from './approvals.ts';
import { DecisionEvent } from './decision-event.ts';

const nameOfGroup = loadTogether(namesOfGroups);

const DecisionSeat = builder.objectRef<SeatView>('DecisionSeat').implement({
  description: 'A seat of the quorum that a decision needs.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Its number, from 0.' }),
    group: t.exposeID('group', {
      nullable: true,
      description: 'The approval group that may fill it; null for any human.',
    }),
    groupName: t.string({
      nullable: true,
      description: 'What the group is called; null for any human, or after the group was deleted.',
      resolve: async ({ group }, _, ctx) =>
        group === null ? null : ((await nameOfGroup(ctx, group)) ?? null),
    }),
    count: t.exposeInt('count', { description: 'How many different people must fill it.' }),
    authentication: t.expose('authentication', {
      type: ApproverAuthentication,
      description: 'How they must be known at least.',
    }),
    filledBy: t.field({
      type: [Approval],
      description: 'The approvals that count for it.',
      resolve: ({ filledBy }) => filledBy,
    }),
    open: t.exposeBoolean('open', { description: 'Whether it still waits for approvals.' }),
  }),
});

const seatsOfOne = loadTogether(seatsOf);

builder.objectField(DecisionEvent, 'seats', (t) =>
  t.field({
    type: [DecisionSeat],
    complexity: 5,
    description: 'The seats of its quorum; empty where the policy asks for none.',
    resolve: async (event, _, ctx) => (await seatsOfOne(ctx, event)) ?? [],
  }),
);

const WaitingReason = builder.enumType('WaitingReason', {
  description: 'Why you can approve a decision.',
  values: worded<SeatReason>({
    GROUP: 'A seat of one of your groups is open.',
    ANYONE: 'Any administrator of the center can approve it.',
    DELEGATION: 'You stand in for a member of the group.',
    ESCALATION: 'The time of the group is up, and the decision escalated to one of your groups.',
  }),
});

const WaitingApprovalRef = builder.objectRef<WaitingApproval>('WaitingApproval').implement({
  description: 'A decision that you can approve now.',
  fields: (t) => ({
    eventId: t.id({ description: 'The decision event.', resolve: ({ event }) => event.id }),
    event: t.expose('event', { type: DecisionEvent, description: 'The decision event itself.' }),
    reason: t.expose('reason', { type: WaitingReason, description: 'Why you can approve it.' }),
  }),
});

builder.queryField('approvalsForMe', (t) =>
  t.connection({
    type: WaitingApprovalRef,
    description: 'The decisions that you can approve now, newest first.',
    authScopes: { access: { roles: everyRole } },
    resolve: (_, args, ctx) => connectionById('evt', args, (window) => approvalsForMe(ctx, window)),
  }),
);
