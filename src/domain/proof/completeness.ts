import type { EvidenceLevel } from '../ledger/levels.ts';
import type { ApprovalContent, EventContent } from './content.ts';

/** The six questions that evidence must answer, as far as a decision and its approvals answer them. */
export interface CollectedEvidence {
  who: { actor: EventContent['actor']; approvers: ApprovalContent['approver'][] };
  what: { type: string; action: string; description?: string };
  when: { occurredAt: string; approvedAt: string[] };
  where: { centerId: number };
  why: string[];
  how: { model?: string; provider?: string; confidence?: number; inputs: boolean };
}

export function collectEvidence(
  centerId: number,
  event: EventContent,
  approvals: ApprovalContent[],
): CollectedEvidence {
  const { action, aiContext } = event;
  const reasons = [aiContext?.reasoning, action.description, ...approvals.map(({ reason }) => reason)];
  return {
    who: { actor: event.actor, approvers: approvals.map(({ approver }) => approver) },
    what: {
      type: event.type,
      action: action.type,
      ...(action.description !== undefined && { description: action.description }),
    },
    when: { occurredAt: event.occurredAt, approvedAt: approvals.map(({ approvedAt }) => approvedAt) },
    where: { centerId },
    why: reasons.filter((reason) => reason !== undefined && reason.trim() !== '') as string[],
    how: {
      ...(aiContext?.model !== undefined && { model: aiContext.model }),
      ...(aiContext?.provider !== undefined && { provider: aiContext.provider }),
      ...(aiContext?.confidence !== undefined && { confidence: aiContext.confidence }),
      inputs: action.input !== undefined,
    },
  };
}

/** How good the collected evidence is: ready for an audit only when somebody said why. */
export function levelOf({ why }: CollectedEvidence): EvidenceLevel {
  return why.length > 0 ? 'AUDIT_READY' : 'DOCUMENTED';
}
