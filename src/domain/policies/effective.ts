// Which policy decides each guard of an action. The most specific policy wins guard by guard: one that sets only
// the risk threshold leaves the other guards to the policies above it.
import type { EvidenceLevel } from '../ledger/levels.ts';
import { matchesAction, specificity } from './pattern.ts';

export type PolicyScope = 'GLOBAL' | 'COUNTRY' | 'REGION' | 'CENTER';

/** What a policy demands. A guard that is absent or null is not set and leaves the word to wider policies. */
export interface PolicyGuards {
  minimumEvidenceLevel?: EvidenceLevel | null;
  humanReviewForAi?: boolean | null;
  /** 0..1: a risk above it needs a human's approval. */
  riskThreshold?: number | null;
  dualApproval?: boolean | null;
}

export interface Policy {
  /** Ids sort by creation. */
  id: string;
  version: number;
  scope: PolicyScope;
  actionPattern: string;
  guards: PolicyGuards;
}

export interface PolicyRef {
  id: string;
  version: number;
}

/** A guard's value and the policy that set it. */
export interface SetGuard<Value> {
  value: Value;
  policy: PolicyRef;
}

export interface EffectivePolicy {
  /** The most specific policy that matches at all, whatever guards it sets. */
  policy: PolicyRef | null;
  guards: { [Name in keyof PolicyGuards]-?: SetGuard<NonNullable<PolicyGuards[Name]>> | null };
}

/** The baseline as the first migration writes it: always there, below every other policy. */
export const GLOBAL_BASELINE: Policy = {
  id: 'pol_baseline',
  version: 1,
  scope: 'GLOBAL',
  actionPattern: '*',
  guards: { riskThreshold: 0.8 },
};

const SCOPE_RANK: Readonly<Record<PolicyScope, number>> = { GLOBAL: 0, COUNTRY: 1, REGION: 2, CENTER: 3 };

/** Takes the policies in force for one center: its own, and those of its region, its country and the world. */
export function effectivePolicy(
  policies: readonly Policy[],
  { actionType }: { actionType: string },
): EffectivePolicy {
  const ranked = newestVersions(policies)
    .filter((policy) => matchesAction(policy.actionPattern, actionType))
    .sort(bySpecificity);
  return {
    policy: ranked[0] ? refOf(ranked[0]) : null,
    guards: {
      minimumEvidenceLevel: firstSet(ranked, 'minimumEvidenceLevel'),
      humanReviewForAi: firstSet(ranked, 'humanReviewForAi'),
      riskThreshold: firstSet(ranked, 'riskThreshold'),
      dualApproval: firstSet(ranked, 'dualApproval'),
    },
  };
}

function firstSet<Name extends keyof PolicyGuards>(ranked: Policy[], name: Name) {
  for (const policy of ranked) {
    const value = policy.guards[name];
    if (value !== undefined && value !== null) return { value, policy: refOf(policy) };
  }
  return null;
}

/** An old version has no say beside its successor, not even on guards the successor no longer sets. */
function newestVersions(policies: readonly Policy[]): Policy[] {
  const newest = new Map<string, Policy>();
  for (const policy of policies) {
    const known = newest.get(policy.id);
    if (!known || policy.version > known.version) newest.set(policy.id, policy);
  }
  return [...newest.values()];
}

/** Most specific first: scope, then pattern, then the policy created later. */
function bySpecificity(a: Policy, b: Policy): number {
  if (a.scope !== b.scope) return SCOPE_RANK[b.scope] - SCOPE_RANK[a.scope];
  // Two exact patterns that match are the same pattern, so infinities are never subtracted from each other.
  if (a.actionPattern !== b.actionPattern) return specificity(b.actionPattern) - specificity(a.actionPattern);
  return a.id < b.id ? 1 : -1;
}

function refOf({ id, version }: Policy): PolicyRef {
  return { id, version };
}
