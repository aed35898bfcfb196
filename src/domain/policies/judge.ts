import { DomainError } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import { effectivePolicy, type Policy } from './effective.ts';
import { type DecisionFacts, evaluateGuards, type GuardResult, overall, type Verdict } from './evaluate.ts';
import { policiesInForce } from './in-force.ts';

/** A decision as policies see it. */
export interface PolicyFacts extends DecisionFacts {
  actionType: string;
}

/** What goes into the sealed content: the policy that matched, and what each guard said. */
export interface MatchedPolicy {
  id: string;
  version: number;
  guards: GuardResult[];
}

export interface Judgement {
  verdict: Verdict;
  policy: MatchedPolicy;
}

/** Pure: for many decisions of one center, load its policies once with `policiesInForce` and judge each. */
export function judge(policies: readonly Policy[], { actionType, ...facts }: PolicyFacts): Judgement {
  const effective = effectivePolicy(policies, { actionType });
  const guards = evaluateGuards(effective, facts);
  // The baseline matches everything; without any policy the first guard fails and nothing is sealed under this name.
  const { id, version } = effective.policy ?? { id: 'none', version: 0 };
  return { verdict: overall(guards), policy: { id, version, guards } };
}

/** Weighs one decision of the caller's center against the policies in force. */
export async function evaluatePolicy(ctx: Context, facts: PolicyFacts): Promise<Judgement> {
  return judge(await policiesInForce(ctx.app.db.pool, currentCenterId(ctx)), facts);
}

/** The error for a judgement that failed, naming the policy and the rule. */
export function policyViolation({ policy }: Judgement): DomainError {
  const failed = policy.guards.find(({ verdict }) => verdict === 'fail')!;
  return new DomainError('POLICY_VIOLATION', `The policy does not allow this: ${failed.detail}.`, {
    details: { policy: failed.policy ?? policy.id, rule: failed.guard },
  });
}
