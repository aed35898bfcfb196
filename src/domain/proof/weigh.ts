// The pure middle of sealing: what becomes of a decision when an approval comes in.
import { DomainError } from '../../lib/errors.ts';
import { canonicalJson } from '../../proof-kit/canonical.ts';
import type { Policy } from '../policies/effective.ts';
import { type Judgement, judge, policyViolation } from '../policies/judge.ts';
import { collectEvidence, levelOf } from './completeness.ts';
import { type ApprovalContent, contentHashOf, type EventContent } from './content.ts';
import { type EventRow, toContent } from './row.ts';

/** A decision with what was said about it so far. */
export interface OpenDecision {
  row: EventRow;
  event: EventContent;
  approvals: BoundApproval[];
}

/** An approval and the content it was given for. */
export interface BoundApproval {
  approval: ApprovalContent;
  contentHash: string;
}

export type Weighed =
  | { status: 'sealed'; content: string; judgement: Judgement }
  | { status: 'approved' | 'rejected' };

/** Throws when nothing more can be said about the decision, or not by this approver. */
export function checkOpen({ row, approvals }: OpenDecision, approverId: string): void {
  if (row.status === 'sealed') throw new DomainError('CONFLICT', 'The decision event is already sealed.');
  if (row.status === 'rejected') {
    throw new DomainError('CONFLICT', 'The decision event was rejected, which is final.');
  }
  if (approvals.some(({ approval }) => approval.approver.id === approverId)) {
    throw new DomainError('CONFLICT', 'This approver has approved the decision event already.');
  }
}

/** An approval counts for the content that was recorded, and for no other. */
export function checkUnchanged({ row, event, approvals }: OpenDecision): void {
  const bound = [row.content_hash, ...approvals.map(({ contentHash }) => contentHash)];
  const actual = contentHashOf(event);
  if (bound.some((hash) => hash !== actual)) {
    throw new DomainError('CHAIN_BROKEN', 'The decision event is no longer what was recorded and approved.');
  }
}

/** A decision as far as policies care. */
export interface Judged {
  centerId: number;
  riskScore: number | null;
  event: EventContent;
}

export function judgeDecision(
  policies: readonly Policy[],
  { centerId, riskScore, event }: Judged,
  approvals: ApprovalContent[],
): Judgement {
  return judge(policies, {
    actionType: event.action.type,
    actorType: event.actor.type,
    riskScore,
    evidenceLevel: levelOf(collectEvidence(centerId, event, approvals)),
    approvals: approvals.map(({ approver, result }) => ({
      approverId: approver.id,
      approverType: approver.type,
      result,
    })),
  });
}

/** What the newest approval makes of the decision. */
export function weigh(policies: readonly Policy[], decision: OpenDecision, newest: ApprovalContent): Weighed {
  checkOpen(decision, newest.approver.id);
  checkUnchanged(decision);
  if (newest.result === 'rejected') return { status: 'rejected' };
  const approvals = [...decision.approvals.map(({ approval }) => approval), newest];
  const { row, event } = decision;
  const judged = { centerId: row.center_id, riskScore: row.risk_score, event };
  const judgement = judgeDecision(policies, judged, approvals);
  if (judgement.verdict === 'fail') throw policyViolation(judgement);
  if (judgement.verdict === 'pass') {
    return { status: 'sealed', content: sealedContent(event, approvals, judgement), judgement };
  }
  const open = judgement.policy.guards.filter(({ verdict }) => verdict === 'pending');
  // Where a second approver is awaited anyway, the first may be anybody. Otherwise this approval changes nothing.
  if (open.some(({ guard }) => guard === 'dual_approval')) return { status: 'approved' };
  throw policyViolation({ ...judgement, policy: { ...judgement.policy, guards: asFailures(open) } });
}

const asFailures = (guards: Judgement['policy']['guards']) =>
  guards.map((guard) => ({ ...guard, verdict: 'fail' as const }));

/** The exact text that is hashed: canonical JSON, absent fields left out. */
function sealedContent(event: EventContent, approvals: ApprovalContent[], { policy }: Judgement): string {
  const guards = policy.guards.map((guard) =>
    Object.fromEntries(Object.entries(guard).filter(([, value]) => value !== null)),
  );
  return canonicalJson({ event, approvals, policy: { id: policy.id, version: policy.version, guards } });
}

export function openDecision(row: EventRow, approvals: BoundApproval[]): OpenDecision {
  return { row, event: toContent(row), approvals };
}
