import type { PolicyVersion } from '@countersign/proof-kit/decision';
import {
  type AttributedFinding,
  evaluatePolicies,
  type Policy,
} from '@countersign/proof-kit/effective-policy';
import type { DecisionFacts, GuardFinding, GuardVerdict } from '@countersign/proof-kit/guards';
import { DomainError } from '../../lib/errors.ts';

/** A decision as policies see it. */
export interface PolicyFacts extends DecisionFacts {
  actionType: string;
}

/** The part of the sealed content about policies: the matching policy and the result of each guard. */
interface MatchedPolicy {
  id: string;
  version: number;
  guards: AttributedFinding[];
}

export interface PolicyEvaluation {
  verdict: GuardVerdict;
  policy: MatchedPolicy;
  /** All policies that cover the action, sorted by id. */
  considered: PolicyVersion[];
  /** Whether a person approves their own decision. */
  selfApproval: boolean;
}

/** Pure and identical to the verifier's evaluation: the same facts give the same verdicts. */
export function evaluate(policies: readonly Policy[], facts: PolicyFacts): PolicyEvaluation {
  const { considered, policy, guards, selfApproval } = evaluatePolicies(policies, facts);
  // The baseline matches everything. Without any policy the first guard fails, so nothing is sealed under this name.
  const { id, version } = policy ?? { id: 'none', version: 0 };
  return { verdict: overall(guards), policy: { id, version, guards }, considered, selfApproval };
}

/** The overall verdict: fails if any guard fails, otherwise stays open if any guard is open. */
function overall(guards: readonly GuardFinding[]): GuardVerdict {
  if (guards.some(({ verdict }) => verdict === 'fail')) return 'fail';
  return guards.some(({ verdict }) => verdict === 'pending') ? 'pending' : 'pass';
}

/** The error for a failed evaluation, naming the policy and the rule. */
export function policyViolation({ policy }: Pick<PolicyEvaluation, 'policy'>): DomainError {
  const failed = policy.guards.find(({ verdict }) => verdict === 'fail')!;
  return new DomainError('POLICY_VIOLATION', `The policy does not allow this: ${failed.detail}.`, {
    details: { policy: failed.policy ?? policy.id, rule: failed.guard },
  });
}

const SEAT_REFUSALS = {
  quorum_group: 'You are not a member of a group that has an open seat.',
  quorum_order: 'The seats are filled in order, and an earlier one is still open.',
  approver_authentication: 'The open seat requires stronger authentication.',
  quorum: 'The approval fills none of the open seats.',
} as const;

/** The error for an approver who can fill no open seat of a quorum. */
export function seatViolation(
  { policy }: Pick<PolicyEvaluation, 'policy'>,
  rule: keyof typeof SEAT_REFUSALS,
  message: string = SEAT_REFUSALS[rule],
): DomainError {
  const setBy = policy.guards.find(({ guard }) => guard === 'quorum')?.policy;
  return new DomainError('POLICY_VIOLATION', message, { details: { policy: setBy ?? policy.id, rule } });
}

export function selfApprovalViolation({ policy }: Pick<PolicyEvaluation, 'policy'>): DomainError {
  return new DomainError('POLICY_VIOLATION', 'Approvers cannot approve their own decisions.', {
    details: { policy: policy.id, rule: 'self_approval' },
  });
}
