/**
 * Which policy decides each guard of an action. The most specific policy wins guard by guard: one that sets only the risk
 * threshold leaves the other guards to the policies above it. A guard enforced by a wider scope can only be tightened. The
 * service decides with this code, and a verifier repeats the decision from the versions on the journal.
 */

import { matchesAction, specificity } from './action-pattern.ts';
import type { PolicyVersion } from './decision.ts';
import { groupBy } from './group-by.ts';
import {
  AUTHENTICATIONS,
  type DecisionFacts,
  evaluateGuards,
  type GuardFinding,
  type GuardName,
  LEVELS,
  type PolicyDemands,
  type Requirements,
  selfApproval,
} from './guards.ts';
import { type Quorum, type QuorumDemands, quorumOf } from './quorum.ts';

export type PolicyScope = 'GLOBAL' | 'COUNTRY' | 'REGION' | 'CENTER';

/** What a policy requires. Wider policies decide what it does not set. */
export interface PolicyGuards extends PolicyDemands, QuorumDemands {
  /** Guards that narrower scopes can only tighten. */
  enforced?: readonly GuardName[] | null;
}

export type DemandName = keyof PolicyDemands;

/** The guard that each demand belongs to: enforcing a guard enforces all of its demands. */
export const GUARD_OF: Readonly<Record<DemandName, GuardName>> = {
  minimumEvidenceLevel: 'evidence_level',
  humanReviewForAi: 'human_review',
  riskThreshold: 'risk_threshold',
  riskRequired: 'risk_threshold',
  dualApproval: 'dual_approval',
  approverAuthentication: 'approver_authentication',
  passkeyAgeHours: 'approver_authentication',
};

export const demandNames = Object.keys(GUARD_OF) as DemandName[];

export interface Policy {
  /** Ids sort by creation. */
  id: string;
  version: number;
  scope: PolicyScope;
  actionPattern: string;
  guards: PolicyGuards;
}

type PolicyRef = PolicyVersion;

/** A demand's value and the policy that set it. */
interface SetGuard<Value> {
  value: Value;
  policy: PolicyRef;
}

export interface EffectivePolicy {
  /** The most specific matching policy, whatever guards it sets. */
  policy: PolicyRef | null;
  guards: { [Name in DemandName]-?: SetGuard<NonNullable<PolicyDemands[Name]>> | null };
  /** The narrowest first, then those that wider scopes enforce. */
  quorums: SetGuard<Quorum>[];
}

/** The baseline from the first migration, below every other policy. */
export const GLOBAL_BASELINE: Policy = {
  id: 'pol_baseline',
  version: 1,
  scope: 'GLOBAL',
  actionPattern: '*',
  guards: { riskThreshold: 0.8, approverAuthentication: 'ASSERTED' },
};

const SCOPE_RANK: Readonly<Record<PolicyScope, number>> = { GLOBAL: 0, COUNTRY: 1, REGION: 2, CENTER: 3 };

/** What the policies decide for a type of action. */
interface Decided {
  /** All that cover the action, sorted by id. */
  considered: PolicyRef[];
  effective: EffectivePolicy;
  requirements: Requirements;
  setBy: ReadonlyMap<GuardName, PolicyRef>;
}

/** Cached by the list of policies and the type of action, which many decisions of a batch share. */
const known = new WeakMap<readonly Policy[], Map<string, Decided>>();

function decide(policies: readonly Policy[], actionType: string): Decided {
  const byAction = known.get(policies) ?? new Map<string, Decided>();
  known.set(policies, byAction);
  const cached = byAction.get(actionType);
  if (cached) return cached;
  const ranked = rank(policies, actionType);
  const effective = decideAll(ranked);
  const decided = {
    considered: ranked.map(refOf).sort((a, b) => (a.id < b.id ? -1 : 1)),
    effective,
    requirements: requirementsOf(effective),
    setBy: sources(effective),
  };
  byAction.set(actionType, decided);
  return decided;
}

/** Takes the newest version of each active policy of a center: its own and those of its region, its country and the world. */
export const effectivePolicy = (
  policies: readonly Policy[],
  { actionType }: { actionType: string },
): EffectivePolicy => decide(policies, actionType).effective;

const rank = (policies: readonly Policy[], actionType: string): Policy[] =>
  policies.filter(({ actionPattern }) => matchesAction(actionPattern, actionType)).sort(bySpecificity);

function decideAll(ranked: Policy[]): EffectivePolicy {
  const guards: Partial<Record<DemandName, SetGuard<unknown> | null>> = {};
  for (const name of demandNames) guards[name] = decided(ranked, name);
  return {
    policy: ranked[0] ? refOf(ranked[0]) : null,
    guards: guards as EffectivePolicy['guards'],
    quorums: quorumsOf(ranked),
  };
}

/** The quorum of the narrowest scope, and that of each wider scope that enforces one. */
function quorumsOf(ranked: Policy[]): SetGuard<Quorum>[] {
  const setting = ranked.filter(({ guards }) => isSet(guards.quorum));
  const [own, ...wider] = groupBy(setting, ({ scope }) => scope).values();
  if (!own) return [];
  const enforced = wider.flatMap((scope) => scope.find(({ guards }) => enforces(guards, 'quorum')) ?? []);
  return [own[0]!, ...enforced].map((policy) => ({
    value: quorumOf(policy.guards)!,
    policy: refOf(policy),
  }));
}

/** The strictness of a demand's values; the higher number is the stricter one. */
const STRICTNESS: { [Name in DemandName]: (value: NonNullable<PolicyDemands[Name]>) => number } = {
  minimumEvidenceLevel: (level) => LEVELS.indexOf(level),
  humanReviewForAi: Number,
  riskThreshold: (threshold) => -threshold,
  riskRequired: Number,
  dualApproval: Number,
  approverAuthentication: (how) => AUTHENTICATIONS.indexOf(how),
  passkeyAgeHours: Number,
};

/** The value of the narrowest scope, unless a wider one enforces a stricter one. */
function decided(ranked: Policy[], name: DemandName): SetGuard<unknown> | null {
  // Policies are ordered by scope, narrowest first, then by pattern, most specific first.
  const words = ranked.filter((policy) => isSet(policy.guards[name]));
  const [own, ...wider] = groupBy(words, ({ scope }) => scope).values();
  if (!own) return null;
  const strictness = ({ guards }: Policy) => (STRICTNESS[name] as (value: unknown) => number)(guards[name]);
  let strictest = own[0]!;
  for (const scope of wider) {
    const floor = floorOf(scope, GUARD_OF[name], strictness);
    if (floor && strictness(floor) > strictness(strictest)) strictest = floor;
  }
  return { value: strictest.guards[name], policy: refOf(strictest) };
}

/**
 * The minimum that a scope leaves to narrower ones: the value of its most specific enforcing policy, even if a more specific
 * policy of the same scope sets a value without enforcing it. If that value is lower, it is the scope's own exception and
 * applies instead.
 */
function floorOf(
  scope: Policy[],
  guard: GuardName,
  strictness: (policy: Policy) => number,
): Policy | undefined {
  const enforcing = scope.findIndex(({ guards }) => enforces(guards, guard));
  return scope.slice(0, enforcing + 1).reduceRight<Policy | undefined>((floor, policy) => {
    return floor && strictness(floor) <= strictness(policy) ? floor : policy;
  }, undefined);
}

const isSet = (value: unknown) => value !== undefined && value !== null;
const enforces = ({ enforced }: PolicyGuards, guard: GuardName) => enforced?.includes(guard) ?? false;

/** Most specific first: scope, then pattern, then the policy created later. */
function bySpecificity(a: Policy, b: Policy): number {
  if (a.scope !== b.scope) return SCOPE_RANK[b.scope] - SCOPE_RANK[a.scope];
  const [one, other] = [specificity(a.actionPattern), specificity(b.actionPattern)];
  // Spellings of one pattern are equally specific: infinities are never subtracted from each other.
  if (one !== other) return other - one;
  return a.id < b.id ? 1 : -1;
}

function refOf({ id, version }: Policy): PolicyRef {
  return { id, version };
}

/** The finding of a guard and the policy that set it, or null. */
export interface AttributedFinding extends GuardFinding {
  policy: string | null;
  version: number | null;
}

interface PolicyEvaluation {
  /** All policies that cover the action, sorted by id. */
  considered: PolicyVersion[];
  /** The most specific matching policy, or null. */
  policy: PolicyRef | null;
  guards: AttributedFinding[];
  requirements: Requirements;
  /** Whether a person approves their own decision. */
  selfApproval: boolean;
}

export type PolicyFacts = DecisionFacts & { actionType: string };

/** Pure: the same policies and facts give the service and every verifier the same findings. */
export function evaluatePolicies(
  policies: readonly Policy[],
  { actionType, ...facts }: PolicyFacts,
): PolicyEvaluation {
  const { considered, effective, requirements, setBy } = decide(policies, actionType);
  const guards = evaluateGuards(requirements, facts).map((finding) => {
    const policy = setBy.get(finding.guard);
    return { ...finding, policy: policy?.id ?? null, version: policy?.version ?? null };
  });
  return {
    considered,
    policy: effective.policy,
    guards,
    requirements,
    selfApproval: selfApproval(requirements, facts) !== -1,
  };
}

function requirementsOf({ policy, guards, quorums }: EffectivePolicy): Requirements {
  const demands = Object.fromEntries(demandNames.map((name) => [name, guards[name]?.value ?? null]));
  return {
    ...(demands as PolicyDemands),
    policyExists: policy !== null,
    quorums: quorums.length > 0 ? quorums.map(({ value }) => value) : null,
  };
}

/** The policy that each guard names: that of its first demand that is set. */
function sources({ policy, guards, quorums }: EffectivePolicy): Map<GuardName, PolicyRef> {
  const found = new Map<GuardName, PolicyRef>();
  if (policy) found.set('policy_existence', policy);
  for (const name of demandNames) {
    const set = guards[name];
    if (set && !found.has(GUARD_OF[name])) found.set(GUARD_OF[name], set.policy);
  }
  if (quorums[0]) found.set('quorum', quorums[0].policy);
  return found;
}
