import * as enums from '../../db/generated/prisma/enums.ts';
import { builder } from '../builder.ts';

export const DecisionEventType = builder.enumType(enums.DecisionEventType, {
  name: 'DecisionEventType',
  description: 'What kind of decision it was.',
});

export const DecisionEventStatus = builder.enumType(enums.DecisionEventStatus, {
  name: 'DecisionEventStatus',
  description:
    'Where a decision event stands: only `sealed` is proven, only `rejected` and `sealed` are final.',
});

export const EventActorType = builder.enumType(enums.EventActorType, {
  name: 'EventActorType',
  description: 'What kind of actor made the decision.',
});

export const ApproverType = builder.enumType(enums.ApproverType, {
  name: 'ApproverType',
  description: 'Whether a person or a system approved.',
});

export const ApprovalResult = builder.enumType(enums.ApprovalResult, {
  name: 'ApprovalResult',
  description: 'What the approver said.',
});

export const EvidenceStatus = builder.enumType('EvidenceStatus', {
  values: ['pending', 'sealed'] as const,
  description: 'Whether the proof of a decision stands on the chain yet.',
});

export const ApprovedByKind = builder.enumType(enums.ApprovedByKind, {
  name: 'ApprovedByKind',
  description:
    'How an approver is known: an API key vouched for them, they were signed in, a passkey signed, or the service itself.',
});
