import type { AttributedFinding as Result } from '@countersign/proof-kit/effective-policy';
import type { SeatState } from '@countersign/proof-kit/quorum';
import { namesOfGroups } from '../../domain/memberships/groups.ts';
import type { PolicyEvaluation } from '../../domain/policies/evaluate.ts';
import { namesOfPolicies } from '../../domain/policies/list-policies.ts';
import {
  type SimulatedDecision,
  simulateDecision,
  simulatedDecision,
} from '../../domain/policies/simulate.ts';
import type { Outcome } from '../../domain/policies/unattended.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { ApprovedByKind, ApproverType, DecisionEventType, EventActorType } from '../decision-enums.ts';
import { enumType } from '../enum-types.ts';
import { EvidenceLevel } from '../enums.ts';
import { properties } from '../exposed.ts';
import { inputArg, inputType, nestedInput } from '../input-types.ts';
import { ApproverAuthentication } from './policy.ts';

const GuardVerdict = enumType<'pass' | 'pending' | 'fail'>('GuardVerdict', 'Whether a guard is satisfied.', {
  fail: 'Violated: no approval can change that.',
  pending: 'Not satisfied yet: a further approval can satisfy it.',
  pass: 'Satisfied, or not required by any policy.',
});

const policyNameOf = makeLoader(namesOfPolicies);
const groupNameOf = makeLoader(namesOfGroups);

export const GuardResult = builder.objectRef<Result>('GuardResult').implement({
  description: 'What a guard says about a decision.',
  fields: (t) => ({
    ...properties(t, {
      guard: [
        'String',
        'Which guard: policy_existence, evidence_level, human_review, risk_threshold, dual_approval, approver_authentication, quorum.',
      ],
      verdict: [GuardVerdict, 'Whether the guard is satisfied, can still be, or cannot.'],
      detail: ['String', 'What the guard requires, in words.'],
      version: ['Int?', 'The version of the policy that sets it; null for the default.'],
    }),
    policyId: t.exposeID('policy', {
      nullable: true,
      description: 'The id of the policy that sets this guard, `pol_…`; null for the default.',
    }),
    policyName: t.string({
      nullable: true,
      description: 'The present name of that policy; null for the default.',
      resolve: async ({ policy }, _, ctx) =>
        policy === null ? null : ((await policyNameOf(ctx, policy)) ?? null),
    }),
  }),
});

export const Judgement = builder
  .objectRef<PolicyEvaluation & { seats?: SeatState[]; outcome?: Outcome; simulated?: SimulatedDecision }>(
    'Judgement',
  )
  .implement({
    description: 'What the current policies say about a decision.',
    fields: (t) => ({
      ...properties(t, {
        verdict: [GuardVerdict, 'Whether all guards are satisfied, can still be, or one cannot.'],
        selfApproval: ['Boolean', 'Whether the requester approves their own decision, which is not allowed.'],
      }),
      policyId: t.id({
        description: 'The id of the most specific policy that covers the action, `pol_…`.',
        resolve: ({ policy }) => policy.id,
      }),
      version: t.int({
        description: 'The number of the current version of that policy.',
        resolve: ({ policy }) => policy.version,
      }),
      guards: t.field({
        type: [GuardResult],
        description: 'What each guard says, in a fixed order.',
        resolve: ({ policy }) => policy.guards,
      }),
    }),
  });

const SimulatedSeat = builder.objectRef<SeatState>('SimulatedSeat').implement({
  description: 'A seat of a simulated quorum.',
  fields: (t) => ({
    ...properties(t, {
      index: ['Int', 'The number of the seat in the quorum, from 0.'],
      group: ['ID?', 'The id of the approval group that can fill it, `grp_…`; null for any person.'],
      count: ['Int', 'The number of different people that it needs.'],
      authentication: [ApproverAuthentication, 'The least authentication that its approvers need.'],
    }),
    filled: t.int({
      description: 'The number of people who have filled it so far.',
      resolve: ({ filledBy }) => filledBy.length,
    }),
    filledBy: t.intList({
      description: 'The places of the assumed approvals that fill it, from 0.',
      resolve: ({ filledBy }) => [...filledBy],
    }),
    groupName: t.string({
      nullable: true,
      description: 'The name of that group; null for any person, and for a group that was deleted.',
      resolve: async ({ group }, _, ctx) =>
        group === null ? null : ((await groupNameOf(ctx, group)) ?? null),
    }),
    open: t.exposeBoolean('isOpen', { description: 'Whether people are still missing.' }),
  }),
});

export const SimulatedOutcome = enumType<Outcome>('SimulatedOutcome', 'What would happen to a decision.', {
  sealed: 'It would be sealed at once.',
  awaiting_approval: 'It would be recorded and wait for an approval.',
  refused: 'It could not be recorded or sealed like this.',
});

builder.objectField(Judgement, 'outcome', (t) =>
  t.field({
    type: SimulatedOutcome,
    nullable: true,
    description: 'For a simulation: what the same call would lead to. Null elsewhere.',
    resolve: ({ outcome }) => outcome ?? null,
  }),
);

builder.objectField(Judgement, 'seats', (t) =>
  t.field({
    type: [SimulatedSeat],
    description: 'The seats of the quorum. For a recorded decision, see `DecisionEvent.seats`.',
    resolve: ({ seats }) => seats ?? [],
  }),
);

const SimulatedApprovalInput = nestedInput('SimulatedApprovalInput', simulatedDecision.shape.approvals, {
  description: 'An approval or rejection to assume in a simulation.',
  types: { approverType: ApproverType, by: ApprovedByKind, groups: 'ID' },
});

const SimulatePolicyInput = inputType('SimulatePolicyInput', simulatedDecision, {
  description: 'A decision to assume in a simulation.',
  types: {
    type: DecisionEventType,
    actorType: EventActorType,
    evidenceLevel: EvidenceLevel,
    approvals: SimulatedApprovalInput,
  },
});

builder.queryField('simulatePolicy', (t) =>
  t.field({
    type: Judgement,
    description: 'Simulates the verdict of the current policies on a decision. Nothing is recorded.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: inputArg(SimulatePolicyInput, 'The decision and the approvals to assume.'),
    resolve: (_, { input }, ctx) => simulateDecision(ctx, input),
  }),
);
