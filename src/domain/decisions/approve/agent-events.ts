// The events that tell integrators what became of an agent's decision.
import type { EventDraft } from '../../events/catalog.ts';
import type { Place } from '../../ledger/chains/chains.ts';
import type { ApprovalContent } from '../content.ts';
import type { EventHead } from '../row.ts';
import type { OpenDecision } from './evaluate-approval.ts';

/** The completion event of an agent's decision, sent once it is sealed, with or without a person's approval. */
export function completion({ row, event }: OpenDecision, place: Place, autonomous: boolean): EventDraft[] {
  if (row.source !== 'AGENT') return [];
  return [
    {
      centerId: row.center_id,
      type: 'agent.decision.completed',
      data: {
        ...agentFacts(event),
        autonomous,
        dpuId: row.dpu_id,
        chainHash: place.hash,
      },
    },
  ];
}

/** The rejection event of an agent's decision, with the cause if the service itself rejected it. */
export function rejection({ row, event }: OpenDecision, approval: ApprovalContent): EventDraft[] {
  if (row.source !== 'AGENT') return [];
  const { approver, by, reason, approvedAt } = approval;
  // An approver may use the same text as a reason, so the cause is set only for the service's own rejections.
  const cause = by.kind === 'system' && isSystemRejection(reason) ? reason : 'rejected';
  return [
    {
      centerId: row.center_id,
      type: 'agent.decision.rejected',
      data: {
        ...agentFacts(event),
        cause,
        reason: cause === 'rejected' ? (reason ?? null) : null,
        approver: cause === 'rejected' ? approver : null,
        rejectedAt: approvedAt,
      },
    },
  ];
}

/** What every event about an agent's decision says of it. */
export const agentFacts = ({ id, decisionId, actor, action, riskScore }: EventHead) => ({
  decisionId,
  eventId: id,
  agentId: actor.id,
  actionType: action.type,
  riskScore: riskScore ?? null,
});

const SYSTEM_REJECTIONS = ['expired', 'withdrawn', 'erased'] as const;
/** Why the service itself rejects a pending decision. */
export type SystemRejection = (typeof SYSTEM_REJECTIONS)[number];

export const isSystemRejection = (reason: string | undefined): reason is SystemRejection =>
  SYSTEM_REJECTIONS.some((each) => each === reason);
