import type { AttributedFinding as Result } from '@countersign/proof-kit/effective-policy';
import type { SeatState } from '@countersign/proof-kit/quorum';
import type { Judgement as JudgementShape } from '../../domain/policies/judge.ts';
import { simulateDecision, simulatedDecision } from '../../domain/policies/simulate.ts';
import type { Outcome } from '../../domain/policies/unattended.ts';
import { builder } from '../builder.ts';
import { worded } from '../enum-values.ts';
import { EvidenceLevel } from '../enums.ts';
import { ApprovedByKind, ApproverType, DecisionEventType, EventActorType } from '../proof/enums.ts';
import { ApproverAuthentication } from './policy.ts';

const GuardVerdict = builder.enumType('GuardVerdict', {
  description: 'What a guard says: satisfied, open until somebody approves, or not to be satisfied any more.',
  values: worded<'pass' | 'pending' | 'fail'>({
    fail: 'Violated, and no approval can mend it.',
    pending: 'Open until somebody approves.',
    pass: 'Satisfied as things stand.',
  }),
});

const GuardResult = builder.objectRef<Result>('GuardResult').implement({
  description: 'What one guard says about a decision.',
  fields: (t) => ({
    guard: t.exposeString('guard', {
      description:
        'Which guard: policy_existence, evidence_level, human_review, risk_threshold, dual_approval, approver_authentication, quorum.',
    }),
    verdict: t.expose('verdict', { type: GuardVerdict, description: 'Whether the guard is satisfied.' }),
    detail: t.exposeString('detail', { description: 'What the guard asks, in words.' }),
    policyId: t.exposeID('policy', {
      nullable: true,
      description: 'The policy that sets this guard; null for the default.',
    }),
    version: t.exposeInt('version', {
      nullable: true,
      description: 'The version of the policy that sets it.',
    }),
  }),
});

export const Judgement = builder
  .objectRef<JudgementShape & { seats?: SeatState[]; outcome?: Outcome }>('Judgement')
  .implement({
    description: 'What the policies in force say about a decision.',
    fields: (t) => ({
      verdict: t.expose('verdict', { type: GuardVerdict, description: 'Of all guards together.' }),
      selfApproval: t.exposeBoolean('selfApproval', {
        description: 'Whether somebody approves a decision of their own, which nobody may.',
      }),
      policyId: t.id({
        description: 'The most specific policy that covers the action.',
        resolve: ({ policy }) => policy.id,
      }),
      version: t.int({ description: 'The version of that policy.', resolve: ({ policy }) => policy.version }),
      guards: t.field({
        type: [GuardResult],
        description: 'Every guard by itself.',
        resolve: ({ policy }) => policy.guards,
      }),
    }),
  });

const SimulatedSeat = builder.objectRef<SeatState>('SimulatedSeat').implement({
  description: 'A seat that people would have to fill.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Its number, from 0.' }),
    group: t.exposeID('group', {
      nullable: true,
      description: 'The approval group that may fill it; null for any human.',
    }),
    count: t.exposeInt('count', { description: 'How many different people must fill it.' }),
    authentication: t.expose('authentication', {
      type: ApproverAuthentication,
      description: 'How they must be known at least.',
    }),
    filled: t.int({ description: 'How many have filled it.', resolve: ({ filledBy }) => filledBy.length }),
    open: t.exposeBoolean('isOpen', { description: 'Whether it still waits for approvals.' }),
  }),
});

const SimulatedOutcome = builder.enumType('SimulatedOutcome', {
  description: 'What would become of a decision.',
  values: worded<Outcome>({
    sealed: 'It would be sealed at once.',
    awaiting_approval: 'It would be recorded and wait for an approval.',
    refused: 'It could not be recorded or sealed like this.',
  }),
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
    description:
      'The seats of the quorum: who would have to approve. Of a recorded decision see `DecisionEvent.seats`.',
    resolve: ({ seats }) => seats ?? [],
  }),
);

const SimulatedApprovalInput = builder.inputType('SimulatedApprovalInput', {
  description: 'An approval that could be given.',
  fields: (t) => ({
    approverId: t.string({ required: true, description: 'The id of whoever approves, in your own system.' }),
    approverType: t.field({ type: ApproverType, required: true, description: 'A person or a system.' }),
    by: t.field({ type: ApprovedByKind, required: true, description: 'How they prove who they are.' }),
    rejected: t.boolean({ description: 'Rejects instead.' }),
    groups: t.idList({ description: 'The approval groups that the approver belongs to.' }),
  }),
});

const SimulatePolicyInput = builder
  .inputType('SimulatePolicyInput', {
    description: 'A decision that nobody has made.',
    fields: (t) => ({
      actionType: t.string({
        required: true,
        description: 'What kind of action is decided on, such as `refund.grant`.',
      }),
      type: t.field({
        type: DecisionEventType,
        defaultValue: 'agent_execution',
        description: 'What kind of decision.',
      }),
      actorType: t.field({ type: EventActorType, required: true, description: 'Who or what decides.' }),
      actorId: t.string({ description: 'Its id: nobody approves their own.' }),
      hasAiContext: t.boolean({ description: 'Whether a model stands behind it.' }),
      riskScore: t.float({ description: 'How risky it is, 0 to 1; nothing when nobody rated it.' }),
      evidenceLevel: t.field({
        type: EvidenceLevel,
        description: 'How good the evidence is; the best when not given.',
      }),
      approvals: t.field({ type: [SimulatedApprovalInput], description: 'What approvers have said.' }),
    }),
  })
  .validate(simulatedDecision);

builder.queryField('simulatePolicy', (t) =>
  t.field({
    type: Judgement,
    description: 'What the policies in force would say about a decision. Nothing is recorded.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: {
      input: t.arg({
        type: SimulatePolicyInput,
        required: true,
        description: 'The decision that somebody might make.',
      }),
    },
    resolve: (_, { input }, ctx) => simulateDecision(ctx, input),
  }),
);
