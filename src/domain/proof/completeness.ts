import type { EvidenceLevel } from '../ledger/levels.ts';
import type { ApprovalContent, EventContent } from './content.ts';

/** How good the evidence is that a decision and its approvals give: ready for an audit only with a reason. */
export function levelOfEvidence(event: EventContent, approvals: ApprovalContent[]): EvidenceLevel {
  const { action, aiContext } = event;
  const reasons = [aiContext?.reasoning, action.description, ...approvals.map(({ reason }) => reason)];
  const said = reasons.some((reason) => reason !== undefined && reason.trim() !== '');
  return said ? 'AUDIT_READY' : 'DOCUMENTED';
}
