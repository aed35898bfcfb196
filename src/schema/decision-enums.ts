import type { ACTOR_TYPES, APPROVER_TYPES } from '@countersign/proof-kit/decision';
import { enumType, storedEnum } from './enum-types.ts';

export const DecisionEventType = storedEnum(
  'DecisionEventType',
  'What kind of decision the caller recorded.',
  {
    agent_execution: 'An AI agent acted without a person.',
    ai_recommendation: 'A model recommended something to a person.',
    automated_action: 'A system acted by fixed rules.',
    custom: 'A decision that fits none of the other kinds.',
    escalation: 'A case was escalated.',
    human_approval: 'A person approved something.',
    policy_decision: 'A policy decided a case.',
    workflow_step: 'A workflow step decided how the workflow continues.',
  },
);

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

export const EventActorType = enumType<(typeof ACTOR_TYPES)[number]>(
  'EventActorType',
  'What kind of actor made a decision.',
  {
    human: 'A person, such as an employee.',
    ai_agent: 'Software that an AI model directs.',
    system: 'Software that acts by fixed rules.',
    service: 'A service that acts for others.',
  },
);

export const ApproverType = enumType<(typeof APPROVER_TYPES)[number]>(
  'ApproverType',
  'Whether a person or a system approves.',
  {
    human: 'A person; only people count for dual approval and seats of a quorum.',
    system: 'A system that follows its own rules.',
  },
);

export const ApprovalResult = storedEnum('ApprovalResult', 'What an approver decided.', {
  approved: 'The approver agrees. The decision is sealed once its policy requires no further approval.',
  rejected: 'The approver refuses, which is final for the decision.',
});

export const EvidenceStatus = enumType<'pending' | 'sealed'>(
  'EvidenceStatus',
  'Whether a decision is sealed into the proof chain.',
  {
    pending: 'Not sealed: the decision is pending or was rejected.',
    sealed: 'Sealed: its record is on the proof chain and can be proven.',
  },
);

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
