import type { EvidenceLevel } from '../ledger/levels.ts';
import type { ApprovalContent, EventContent } from './content.ts';

/** The evidence level that a decision and its approvals reach. AUDIT_READY requires a reason. */
export function levelOfEvidence(event: EventContent, approvals: ApprovalContent[]): EvidenceLevel {
  const { action, aiContext } = event;
  const reasons = [aiContext?.reasoning, action.description, ...approvals.map(({ reason }) => reason)];
  const said = reasons.some((reason) => reason !== undefined && reason.trim() !== '');
  return said ? 'AUDIT_READY' : 'DOCUMENTED';
}
