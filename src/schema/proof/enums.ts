import type * as enums from '../../db/generated/prisma/enums.ts';
import { builder } from '../builder.ts';
import { worded } from '../enum-values.ts';

export const DecisionEventType = builder.enumType('DecisionEventType', {
  description: 'What kind of decision it was.',
  values: worded<enums.DecisionEventType>({
    agent_execution: 'An AI agent is about to act, or acted, on its own.',
    ai_recommendation: 'A model recommended something to a person.',
    automated_action: 'A system acted by fixed rules.',
    custom: 'Anything that the other kinds do not fit.',
    escalation: 'A case was handed to somebody with more authority.',
    human_approval: 'A person allowed something.',
    policy_decision: 'A policy settled a case.',
    workflow_step: 'A step of a workflow decided how it goes on.',
  }),
});

export const DecisionEventStatus = builder.enumType('DecisionEventStatus', {
  description:
    'Where a decision event stands: only `sealed` is proven, only `rejected` and `sealed` are final.',
  values: worded<enums.DecisionEventStatus>({
    recorded: 'Recorded; nobody has approved it yet.',
    approved: 'Approved once, and waiting for the second approval that a policy demands.',
    sealed: 'Approved and tied into the hash chain, which is final.',
    rejected: 'Turned down, withdrawn or expired, which is final.',
  }),
});

export const EventActorType = builder.enumType('EventActorType', {
  description: 'What kind of actor made the decision.',
  values: worded<enums.EventActorType>({
    human: 'A person decided.',
    ai_agent: 'An agent that is driven by a model decided.',
    system: 'Software that acts by fixed rules.',
    service: 'A service that acts for others.',
  }),
});

export const ApproverType = builder.enumType('ApproverType', {
  description: 'Whether a person or a system approved.',
  values: worded<enums.ApproverType>({
    human: 'A person said it.',
    system: 'A system said it by rules of its own.',
  }),
});

export const ApprovalResult = builder.enumType('ApprovalResult', {
  description: 'What the approver said.',
  values: worded<enums.ApprovalResult>({
    approved: 'The decision may stand.',
    rejected: 'The decision may not stand, which is final.',
  }),
});

export const EvidenceStatus = builder.enumType('EvidenceStatus', {
  description: 'Whether the proof of a decision stands on the chain yet.',
  values: worded<'pending' | 'sealed'>({
    pending: 'Not on the chain yet: the decision waits or was rejected.',
    sealed: 'On the chain, and provable from then on.',
  }),
});

export const ApprovedByKind = builder.enumType('ApprovedByKind', {
  description:
    'How an approver is known: an API key vouched for them, they were signed in, a passkey signed, the service itself, or a mandate.',
  values: worded<enums.ApprovedByKind>({
    api_key: 'A system with an API key of the center named the approver.',
    session: 'The approver was signed in.',
    passkey: 'The approver signed this very decision with a passkey.',
    system: 'The service itself, by the rules of the policy.',
    mandate: 'A mandate covered the call of an agent.',
  }),
});
