import { everyRole } from '../../domain/access.ts';
import { type SeatView, seatsOf } from '../../domain/decisions/approve/seats.ts';
import { approvalsForMe, type WaitingApproval } from '../../domain/decisions/approve/waiting.ts';
import { namesOfGroups } from '../../domain/memberships/groups.ts';
import type { SeatReason } from '../../domain/policies/seating.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { enumType } from '../enum-types.ts';
import { properties } from '../exposed.ts';
import { ApproverAuthentication } from '../policies/policy.ts';
import { Approval } from './approvals.ts';
import { DecisionEvent } from './decision-event.ts';

const nameOfGroup = makeLoader(namesOfGroups);

const DecisionSeat = builder.objectRef<SeatView>('DecisionSeat').implement({
  description: 'A seat of the quorum that a decision needs.',
  fields: (t) => ({
    ...properties(t, {
      index: ['Int', 'The index, from 0.'],
      group: ['ID?', 'The approval group that can fill it; null for any human.'],
      count: ['Int', 'The number of different people required.'],
      authentication: [ApproverAuthentication, 'The minimum authentication of approvers.'],
      filledBy: [[Approval], 'The approvals that fill it.'],
      open: ['Boolean', 'Whether approvals are still missing.'],
    }),
    groupName: t.string({
      nullable: true,
      description: 'What the group is called; null for any human, or after the group was deleted.',
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
  ANYONE: 'Any administrator can approve it.',
  DELEGATION: 'You are a delegate of a member of the group.',
  ESCALATION: 'The decision was escalated to one of your groups.',
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
    extensions: { fromReplica: true },
    authScopes: { access: { roles: everyRole } },
    resolve: (_, args, ctx) => connectionById('evt', args, (window) => approvalsForMe(ctx, window)),
  }),
);
