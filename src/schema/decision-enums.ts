import type { ACTOR_TYPES, APPROVER_TYPES } from '@countersign/proof-kit/decision';
import type * as enums from '../db/generated/prisma/enums.ts';
import { builder } from './builder.ts';
import { describedValues } from './enum-values.ts';

export const DecisionEventType = builder.enumType('DecisionEventType', {
  description: 'The kind of decision.',
  values: describedValues<enums.DecisionEventType>({
    agent_execution: 'An AI agent acts autonomously.',
    ai_recommendation: 'A model recommended something to a person.',
    automated_action: 'A system acted by fixed rules.',
    custom: 'Any other decision.',
    escalation: 'A case was escalated.',
    human_approval: 'A person approved something.',
    policy_decision: 'A policy decided a case.',
    workflow_step: 'A workflow step decided how the workflow continues.',
  }),
});

export const DecisionEventStatus = builder.enumType('DecisionEventStatus', {
  description: 'The status of a decision event. `rejected` and `sealed` are final.',
  values: describedValues<enums.DecisionEventStatus>({
    recorded: 'Recorded, not yet approved.',
    approved: 'Approved, and waiting for a further approval that the policy requires.',
    sealed: 'Approved and sealed into the hash chain. Final.',
    rejected: 'Rejected, withdrawn or expired. Final.',
  }),
});

export const EventActorType = builder.enumType('EventActorType', {
  description: 'The kind of actor.',
  values: describedValues<(typeof ACTOR_TYPES)[number]>({
    human: 'A person.',
    ai_agent: 'An AI agent.',
    system: 'Software that acts by fixed rules.',
    service: 'A service that acts for others.',
  }),
});

export const ApproverType = builder.enumType('ApproverType', {
  description: 'The kind of approver.',
  values: describedValues<(typeof APPROVER_TYPES)[number]>({
    human: 'A person.',
    system: 'A system that follows its own rules.',
  }),
});

export const ApprovalResult = builder.enumType('ApprovalResult', {
  description: 'The result of the approval.',
  values: describedValues<enums.ApprovalResult>({
    approved: 'The decision is approved.',
    rejected: 'The decision is rejected, which is final.',
  }),
});

export const EvidenceStatus = builder.enumType('EvidenceStatus', {
  description: 'The status of evidence.',
  values: describedValues<'pending' | 'sealed'>({
    pending: 'Not sealed: the decision is pending or was rejected.',
    sealed: 'Sealed and provable.',
  }),
});

export const ApprovedByKind = builder.enumType('ApprovedByKind', {
  description:
    'How an approver was authenticated: asserted by an API key, by session, by passkey signature, by the service, or by a mandate.',
  values: describedValues<enums.ApprovedByKind>({
    api_key: 'A system with an API key of the center asserted the approver.',
    session: 'The approver was signed in.',
    passkey: 'The approver signed this decision with a passkey.',
    system: 'The service, as the policy allows.',
    mandate: "A mandate covered the agent's call.",
  }),
});
