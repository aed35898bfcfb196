import type { Policy } from '@countersign/proof-kit/effective-policy';
import type { ApprovalFacts } from '@countersign/proof-kit/quorum';
import { evaluate, type PolicyEvaluation, type PolicyFacts } from './evaluate.ts';

/** What happens to a decision: the service seals it, it waits for a person, or the policies forbid it. */
export type Outcome = 'sealed' | 'awaiting_approval' | 'refused';

/** The service's own approval, used if the policies require no person. */
const serviceApprovalFacts = (approvedAt: string): ApprovalFacts => ({
  approverId: 'countersign',
  approverType: 'system',
  result: 'approved',
  byKind: 'system',
  approvedAt,
  seats: [],
});

/**
 * What happens to an agent's decision that only the service has approved. If only the approver's authentication fails, a
 * person can still provide it, so the decision waits.
 */
export function unattendedOutcome({ verdict, policy }: PolicyEvaluation): Outcome {
  if (verdict === 'pass') return 'sealed';
  const failed = policy.guards.filter((guard) => guard.verdict === 'fail');
  const isOpen = failed.every(({ guard }) => guard === 'approver_authentication');
  return isOpen ? 'awaiting_approval' : 'refused';
}

/**
 * What a caller's approval leads to. If only further approvers are missing, the decision waits for them. An approval that
 * makes no progress is refused.
 */
export function approvedOutcome({ verdict, selfApproval, policy }: PolicyEvaluation): Outcome {
  if (selfApproval || verdict === 'fail') return 'refused';
  if (verdict === 'pass') return 'sealed';
  const counts = policy.guards.some(
    (each) => each.verdict === 'pending' && (each.guard === 'dual_approval' || each.guard === 'quorum'),
  );
  return counts ? 'awaiting_approval' : 'refused';
}

/** What a decision without approvals still needs. */
export function evaluateUnattended(
  policies: readonly Policy[],
  facts: Omit<PolicyFacts, 'approvals'> & { occurredAt: string },
): PolicyEvaluation {
  const approvals = [serviceApprovalFacts(facts.occurredAt)];
  const evaluation = evaluate(policies, { ...facts, approvals });
  if (unattendedOutcome(evaluation) !== 'awaiting_approval') return evaluation;
  const guards = evaluation.policy.guards.map((each) =>
    each.verdict === 'fail' ? { ...each, verdict: 'pending' as const } : each,
  );
  return { ...evaluation, verdict: 'pending', policy: { ...evaluation.policy, guards } };
}
