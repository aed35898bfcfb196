// Guards weigh a decision against its effective policy. Pure, so that the same facts give the same verdicts when
// a record is sealed and whenever someone checks it afterwards.
import { atLeast, type EvidenceLevel } from '../ledger/levels.ts';
import type { EffectivePolicy, PolicyRef } from './effective.ts';

export type GuardName =
  | 'policy_existence'
  | 'evidence_level'
  | 'human_review'
  | 'risk_threshold'
  | 'dual_approval';

/** pending: further approvals can still satisfy the guard; fail: nothing can. */
export type Verdict = 'pass' | 'fail' | 'pending';

export interface GuardResult {
  guard: GuardName;
  verdict: Verdict;
  /** The policy that set the guard; null where none did. */
  policy: string | null;
  version: number | null;
  detail: string;
}

export interface Approval {
  approverId: string;
  approverType: 'human' | 'system';
  result: 'approved' | 'rejected';
}

export interface DecisionFacts {
  actorType: 'human' | 'ai_agent' | 'system' | 'service';
  /** 0..1. Absent means that nobody rated the decision; a model's confidence is not taken for a rating. */
  riskScore?: number | null;
  evidenceLevel: EvidenceLevel;
  approvals: readonly Approval[];
}

/** One result for each guard, always all five, in the order they are named above. */
export function evaluateGuards({ policy, guards }: EffectivePolicy, facts: DecisionFacts): GuardResult[] {
  const { minimumEvidenceLevel, humanReviewForAi, riskThreshold, dualApproval } = guards;
  return [
    result(
      'policy_existence',
      policy,
      policy ? pass('a policy covers this action') : fail('no policy covers this action'),
    ),
    result(
      'evidence_level',
      minimumEvidenceLevel?.policy,
      minimumEvidenceLevel ? evidenceLevel(minimumEvidenceLevel.value, facts) : NOT_SET,
    ),
    result('human_review', humanReviewForAi?.policy, humanReviewForAi?.value ? humanReview(facts) : NOT_SET),
    result(
      'risk_threshold',
      riskThreshold?.policy,
      riskThreshold ? risk(riskThreshold.value, facts) : NOT_SET,
    ),
    result('dual_approval', dualApproval?.policy, dualApproval?.value ? twoApprovers(facts) : NOT_SET),
  ];
}

/** The verdict on the whole: one failure fails it, else one open guard keeps it open. */
export function overall(results: readonly GuardResult[]): Verdict {
  if (results.some(({ verdict }) => verdict === 'fail')) return 'fail';
  return results.some(({ verdict }) => verdict === 'pending') ? 'pending' : 'pass';
}

interface Finding {
  verdict: Verdict;
  detail: string;
}

const NOT_SET: Finding = pass('not required');

function evidenceLevel(minimum: EvidenceLevel, { evidenceLevel: level }: DecisionFacts): Finding {
  const detail = `level ${level}, at least ${minimum} required`;
  return atLeast(level, minimum) ? pass(detail) : fail(detail);
}

function humanReview(facts: DecisionFacts): Finding {
  if (facts.actorType !== 'ai_agent') return pass('the actor is no AI');
  return byApproval(facts, hasHuman(facts), 'review of an AI actor by a human');
}

function risk(threshold: number, facts: DecisionFacts): Finding {
  const { riskScore } = facts;
  if (riskScore === undefined || riskScore === null) return pass('no risk score given');
  const comparison = `risk ${riskScore}, threshold ${threshold}`;
  if (riskScore <= threshold) return pass(comparison);
  return byApproval(facts, hasHuman(facts), `${comparison}: approval by a human`);
}

function twoApprovers(facts: DecisionFacts): Finding {
  const approvers = new Set(approved(facts).map(({ approverId }) => approverId));
  return byApproval(facts, approvers.size >= 2, 'approval by two different approvers');
}

/** A rejection is final, so what was not approved by then never will be. */
function byApproval(facts: DecisionFacts, satisfied: boolean, need: string): Finding {
  if (facts.approvals.some(({ result }) => result === 'rejected')) return fail(`${need}: rejected`);
  return satisfied ? pass(`${need}: given`) : { verdict: 'pending', detail: `${need}: awaited` };
}

function hasHuman(facts: DecisionFacts): boolean {
  return approved(facts).some(({ approverType }) => approverType === 'human');
}

function approved({ approvals }: DecisionFacts): Approval[] {
  return approvals.filter(({ result }) => result === 'approved');
}

function pass(detail: string): Finding {
  return { verdict: 'pass', detail };
}

function fail(detail: string): Finding {
  return { verdict: 'fail', detail };
}

function result(guard: GuardName, setBy: PolicyRef | null | undefined, finding: Finding): GuardResult {
  return {
    guard,
    verdict: finding.verdict,
    policy: setBy?.id ?? null,
    version: setBy?.version ?? null,
    detail: finding.detail,
  };
}
