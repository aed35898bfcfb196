import type { ACTOR_TYPES, APPROVER_TYPES } from '@countersign/proof-kit/decision';
import { enumType, storedEnum } from './enum-types.ts';

export const DecisionEventType = storedEnum('DecisionEventType', 'The kind of decision.', {
  agent_execution: 'An AI agent acts autonomously.',
  ai_recommendation: 'A model recommended something to a person.',
  automated_action: 'A system acted by fixed rules.',
  custom: 'Any other decision.',
  escalation: 'A case was escalated.',
  human_approval: 'A person approved something.',
  policy_decision: 'A policy decided a case.',
  workflow_step: 'A workflow step decided how the workflow continues.',
});

export const DecisionEventStatus = storedEnum(
  'DecisionEventStatus',
  'The status of a decision event. `rejected` and `sealed` are final.',
  {
    recorded: 'Recorded, not yet approved.',
    approved: 'Approved, and waiting for a further approval that the policy requires.',
    sealed: 'Approved and sealed into the hash chain. Final.',
    rejected: 'Rejected, withdrawn or expired. Final.',
  },
);

export const EventActorType = enumType<(typeof ACTOR_TYPES)[number]>('EventActorType', 'The kind of actor.', {
  human: 'A person.',
  ai_agent: 'An AI agent.',
  system: 'Software that acts by fixed rules.',
  service: 'A service that acts for others.',
});

export const ApproverType = enumType<(typeof APPROVER_TYPES)[number]>(
  'ApproverType',
  'The kind of approver.',
  {
    human: 'A person.',
    system: 'A system that follows its own rules.',
  },
);

export const ApprovalResult = storedEnum('ApprovalResult', 'The result of the approval.', {
  approved: 'The decision is approved.',
  rejected: 'The decision is rejected, which is final.',
});

export const EvidenceStatus = enumType<'pending' | 'sealed'>('EvidenceStatus', 'The status of evidence.', {
  pending: 'Not sealed: the decision is pending or was rejected.',
  sealed: 'Sealed and provable.',
});

export const ApprovedByKind = storedEnum(
  'ApprovedByKind',
  'How an approver was authenticated: asserted by an API key, by session, by passkey signature, by the service, or by a mandate.',
  {
    api_key: 'A system with an API key of the center asserted the approver.',
    session: 'The approver was signed in.',
    passkey: 'The approver signed this decision with a passkey.',
    system: 'The service, as the policy allows.',
    mandate: "A mandate covered the agent's call.",
  },
);
