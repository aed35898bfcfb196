import { everyRole } from '../../domain/access.ts';
import {
  type DecisionResult,
  decisionResult,
  type MadeDecision,
} from '../../domain/decisions/approve/decision-result.ts';
import { builder } from '../builder.ts';
import { ApprovalResult, DecisionEventStatus } from '../decision-enums.ts';
import { onlyProperties } from '../exposed.ts';

const MadeDecisionRef = builder.objectRef<MadeDecision>('MadeDecision').implement({
  description: 'What one approver decided about a request.',
  fields: onlyProperties({
    name: [
      'String?',
      'The name of the approver as recorded; null for the service, and if none was given or it was erased.',
    ],
    result: [ApprovalResult, 'Whether the request was approved or rejected.'],
    at: ['DateTime', 'When, in UTC.'],
    cause: [
      'String?',
      'Why the service rejected it, such as expired or withdrawn; null if a person or a system of the center decided.',
    ],
    isMine: ['Boolean', 'Whether you decided.'],
  }),
});

const DecisionResultRef = builder.objectRef<DecisionResult>('DecisionResult').implement({
  description: 'What became of a request: who decided, and how.',
  fields: onlyProperties({
    eventId: ['ID', 'The id of the decision event, `evt_…`.'],
    status: [DecisionEventStatus, 'Whether it waits, is sealed or was rejected.'],
    readable: ['Boolean', 'Whether you may read the decision event itself.'],
    decisions: [[MadeDecisionRef], 'What was decided so far, oldest first.'],
  }),
});

builder.queryField('decisionResult', (t) =>
  t.field({
    type: DecisionResultRef,
    description:
      'Who decided a request, and how. For ADMINs and people who could have decided it: they were told of it, or a group of theirs was named. Not found for all others.',
    authScopes: { access: { roles: everyRole } },
    args: { eventId: t.arg.id({ required: true, description: 'The id of the decision event, `evt_…`.' }) },
    resolve: (_, { eventId }, ctx) => decisionResult(ctx, String(eventId)),
  }),
);
