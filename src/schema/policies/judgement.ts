import type { AttributedFinding as Result } from '@countersign/proof-kit/effective-policy';
import type { SeatState } from '@countersign/proof-kit/quorum';
import type { PolicyEvaluation } from '../../domain/policies/evaluate.ts';
import { simulateDecision, simulatedDecision } from '../../domain/policies/simulate.ts';
import type { Outcome } from '../../domain/policies/unattended.ts';
import { builder } from '../builder.ts';
import { ApprovedByKind, ApproverType, DecisionEventType, EventActorType } from '../decision-enums.ts';
import { enumType } from '../enum-types.ts';
import { EvidenceLevel } from '../enums.ts';
import { properties } from '../exposed.ts';
import { inputArg, inputType, nestedInput } from '../input-types.ts';
import { ApproverAuthentication } from './policy.ts';

const GuardVerdict = enumType<'pass' | 'pending' | 'fail'>(
  'GuardVerdict',
  'The verdict of a guard: satisfied, pending an approval, or violated.',
  {
    fail: 'Violated; no approval can change that.',
    pending: 'Pending an approval.',
    pass: 'Satisfied.',
  },
);

const GuardResult = builder.objectRef<Result>('GuardResult').implement({
  description: 'The verdict of a guard on a decision.',
  fields: (t) => ({
    ...properties(t, {
      guard: [
        'String',
        'Which guard: policy_existence, evidence_level, human_review, risk_threshold, dual_approval, approver_authentication, quorum.',
      ],
      verdict: [GuardVerdict, 'Whether the guard is satisfied.'],
      detail: ['String', 'The requirement in words.'],
      version: ['Int?', 'The version of the policy that sets it.'],
    }),
    policyId: t.exposeID('policy', {
      nullable: true,
      description: 'The policy that sets this guard; null for the default.',
    }),
  }),
});

export const Judgement = builder
  .objectRef<PolicyEvaluation & { seats?: SeatState[]; outcome?: Outcome }>('Judgement')
  .implement({
    description: 'The verdict of the current policies on a decision.',
    fields: (t) => ({
      ...properties(t, {
        verdict: [GuardVerdict, 'The combined verdict.'],
        selfApproval: ['Boolean', 'Whether the requester approves their own decision, which is not allowed.'],
      }),
      policyId: t.id({
        description: 'The most specific policy that covers the action.',
        resolve: ({ policy }) => policy.id,
      }),
      version: t.int({ description: 'The version of that policy.', resolve: ({ policy }) => policy.version }),
      guards: t.field({
        type: [GuardResult],
        description: 'The verdict of each guard.',
        resolve: ({ policy }) => policy.guards,
      }),
    }),
  });

const SimulatedSeat = builder.objectRef<SeatState>('SimulatedSeat').implement({
  description: 'A seat of a simulated quorum.',
  fields: (t) => ({
    ...properties(t, {
      index: ['Int', 'The index, from 0.'],
      group: ['ID?', 'The approval group that can fill it; null for any human.'],
      count: ['Int', 'The number of different people required.'],
      authentication: [ApproverAuthentication, 'The minimum authentication of approvers.'],
    }),
    filled: t.int({ description: 'The number of approvals.', resolve: ({ filledBy }) => filledBy.length }),
    open: t.exposeBoolean('isOpen', { description: 'Whether approvals are still missing.' }),
  }),
});

const SimulatedOutcome = enumType<Outcome>('SimulatedOutcome', 'What would become of a decision.', {
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
  description: 'A hypothetical approval.',
  types: { approverType: ApproverType, by: ApprovedByKind, groups: 'ID' },
});

const SimulatePolicyInput = inputType('SimulatePolicyInput', simulatedDecision, {
  description: 'A hypothetical decision.',
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
    args: inputArg(SimulatePolicyInput, 'The decision to simulate.'),
    resolve: (_, { input }, ctx) => simulateDecision(ctx, input),
  }),
);
