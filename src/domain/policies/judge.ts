import { DomainError } from '../../lib/errors.ts';
import {
  type DecisionFacts,
  type GuardFinding,
  type GuardVerdict,
  judgeGuards,
  type Requirements,
  selfApproval,
} from '../../proof-kit/guards.ts';
import { type EffectivePolicy, effectivePolicy, GUARD_OF, type Policy, type PolicyRef } from './effective.ts';

/** A decision as policies see it. */
export interface PolicyFacts extends DecisionFacts {
  actionType: string;
}

/** What a guard said, and the policy that set it; null where none did. */
export interface GuardResult extends GuardFinding {
  policy: string | null;
  version: number | null;
}

/** What goes into the sealed content: the policy that matched, and what each guard said. */
export interface MatchedPolicy {
  id: string;
  version: number;
  guards: GuardResult[];
}

export interface Judgement {
  verdict: GuardVerdict;
  policy: MatchedPolicy;
  /** Whether somebody approves an own decision. */
  selfApproval: boolean;
}

/** Pure, and the same that a verifier does afterwards: the same facts give the same verdicts. */
export function judge(policies: readonly Policy[], { actionType, ...facts }: PolicyFacts): Judgement {
  const effective = effectivePolicy(policies, { actionType });
  const asked = requirements(effective);
  const setBy = sources(effective);
  const guards = judgeGuards(asked, facts).map((finding) => {
    const policy = setBy.get(finding.guard);
    return { ...finding, policy: policy?.id ?? null, version: policy?.version ?? null };
  });
  // The baseline matches everything; without any policy the first guard fails and nothing is sealed under this name.
  const { id, version } = effective.policy ?? { id: 'none', version: 0 };
  return {
    verdict: overall(guards),
    policy: { id, version, guards },
    selfApproval: selfApproval(asked, facts) !== -1,
  };
}

function requirements({ policy, guards }: EffectivePolicy): Requirements {
  return {
    policyExists: policy !== null,
    minimumEvidenceLevel: guards.minimumEvidenceLevel?.value ?? null,
    humanReviewForAi: guards.humanReviewForAi?.value ?? null,
    riskThreshold: guards.riskThreshold?.value ?? null,
    riskRequired: guards.riskRequired?.value ?? null,
    dualApproval: guards.dualApproval?.value ?? null,
    approverAuthentication: guards.approverAuthentication?.value ?? null,
  };
}

function sources({ policy, guards }: EffectivePolicy): Map<string, PolicyRef> {
  const found = new Map<string, PolicyRef>();
  if (policy) found.set('policy_existence', policy);
  for (const name of ['riskRequired', ...Object.keys(guards)] as (keyof typeof guards)[]) {
    const set = guards[name];
    if (set) found.set(GUARD_OF[name], set.policy);
  }
  return found;
}

/** The verdict on the whole: one failure fails it, else one open guard keeps it open. */
function overall(guards: readonly GuardFinding[]): GuardVerdict {
  if (guards.some(({ verdict }) => verdict === 'fail')) return 'fail';
  return guards.some(({ verdict }) => verdict === 'pending') ? 'pending' : 'pass';
}

/** The error for a judgement that failed, naming the policy and the rule. */
export function policyViolation({ policy }: Pick<Judgement, 'policy'>): DomainError {
  const failed = policy.guards.find(({ verdict }) => verdict === 'fail')!;
  return new DomainError('POLICY_VIOLATION', `The policy does not allow this: ${failed.detail}.`, {
    details: { policy: failed.policy ?? policy.id, rule: failed.guard },
  });
}

export function selfApprovalViolation({ policy }: Pick<Judgement, 'policy'>): DomainError {
  return new DomainError('POLICY_VIOLATION', 'Nobody approves a decision of their own.', {
    details: { policy: policy.id, rule: 'self_approval' },
  });
}
