/** Whether a decision satisfied the policies that the service considered, as the journal holds them. */
import { matchesAction } from './action-pattern.ts';
import { chainOriginOf, NO_CENTER } from './checkpoint.ts';
import { requireCovered } from './considered.ts';
import { authorForm, GUARDS, type PolicyVersion, type SealedPolicy } from './decision.ts';
import { policyFacts } from './decision-rules.ts';
import type { DisclosedDecision } from './disclose.ts';
import { evaluatePolicies, type Policy, type PolicyFacts } from './effective-policy.ts';
import {
  type Accepted,
  between,
  flag,
  fraction,
  id,
  index,
  listOf,
  nullable,
  objectOf,
  oneOf,
  text,
} from './form.ts';
import { AUTHENTICATIONS, type DecisionFacts, evaluateGuards, LEVELS, type Requirements } from './guards.ts';
import type { ProofDocument } from './proof-document.ts';
import { MAX_SEAT_COUNT } from './quorum.ts';
import { Refutation, readContent } from './sealed-content.ts';
import type { PasskeyAge } from './verify-credentials.ts';
import type { LogCheck } from './verify-log.ts';

const MAX_SEATS = 5;

const seat = objectOf({
  'group?': nullable(id),
  count: between(1, MAX_SEAT_COUNT),
  'authentication?': nullable(oneOf(...AUTHENTICATIONS)),
});

const guards = objectOf({
  'minimumEvidenceLevel?': nullable(oneOf(...LEVELS)),
  'humanReviewForAi?': nullable(flag),
  'riskThreshold?': nullable(fraction),
  'riskRequired?': nullable(flag),
  'dualApproval?': nullable(flag),
  'approverAuthentication?': nullable(oneOf(...AUTHENTICATIONS)),
  'passkeyAgeHours?': nullable(index),
  'quorum?': nullable(listOf(seat, MAX_SEATS, 1)),
  'quorumOrdered?': nullable(flag),
  'escalateAfterSeconds?': nullable(index),
  'escalateToGroup?': nullable(id),
  'enforced?': nullable(listOf(oneOf(...GUARDS), GUARDS.length)),
});

const policyForm = objectOf({
  kind: oneOf('policy'),
  policyId: id,
  version: index,
  scope: oneOf('GLOBAL', 'COUNTRY', 'REGION', 'CENTER'),
  'country?': text,
  'region?': text,
  name: text,
  actionPattern: text,
  guards,
  active: flag,
  'by?': authorForm,
  '_sd_alg?': oneOf('sha-256'),
});

type VersionContent = Accepted<typeof policyForm>;

/** Throws a Refutation unless the guards match the policies and the decision satisfied them. */
export async function checkPolicies(
  document: ProofDocument,
  decision: DisclosedDecision,
  { log, ages }: { log: LogCheck; ages: readonly PasskeyAge[] },
): Promise<void> {
  const { policies = [], record } = document;
  const { service, center, event, policy } = decision.content;
  const versions: VersionContent[] = [];
  for (const [i, each] of policies.entries()) {
    const place = `policies[${i}]`;
    const content = readContent(each.record.content, `${place}.record.content`, 'policy', policyForm);
    versions.push(content);
    const owner = content.scope === 'CENTER' ? center.id : NO_CENTER;
    const journal = chainOriginOf(service, owner, 'journal');
    await log.attached(place, each, (origin) => origin === journal);
    requireCovered(each, place, policy.journals, journal);
  }
  const seen = new Set<string>();
  versions.forEach((version, i) => {
    if (policies[i]!.record.timestamp > record.timestamp)
      throw new Refutation(`policies[${i}] was recorded after the seal`);
    const key = keyOf(version.policyId, version.version);
    if (seen.has(key)) throw new Refutation(`policies[${i}] is there twice`);
    seen.add(key);
    if (!version.active || !matchesAction(version.actionPattern, event.action.type))
      throw new Refutation(`policies[${i}] does not cover the action`);
  });
  const { considered } = policy;
  // Before format 4, only the service knew which policies covered the action.
  if (!policy.journals) log.missing.push('policy.journals');
  if (!considered) {
    log.missing.push('policy.considered');
    return;
  }
  const expected = considered.map(({ id, version }) => keyOf(id, version));
  versions.forEach(({ policyId, version }, i) => {
    if (!expected.includes(keyOf(policyId, version)))
      throw new Refutation(`policies[${i}] was not considered`);
  });
  if (expected.some((key) => !seen.has(key))) log.missing.push('policy');
  else evaluate(versions.map(toPolicy), decision, ages);
}

const keyOf = (id: string, version: number) => `${version} ${id}`;

const toPolicy = ({ policyId: id, version, scope, actionPattern, guards }: VersionContent): Policy => {
  return { id, version, scope, actionPattern, guards };
};

function evaluate(
  policies: readonly Policy[],
  decision: DisclosedDecision,
  ages: readonly PasskeyAge[],
): void {
  const byPlace = new Map(ages.map(({ place, hours }) => [place, hours]));
  const fault = policyFault(
    policies,
    decision.policy,
    policyFacts(decision, (i) => byPlace.get(i)),
  );
  if (fault !== null) throw new Refutation(fault);
}

/** How the sealed policy differs from the result of these policies; null if it does not. */
export function policyFault(
  policies: readonly Policy[],
  sealed: SealedPolicy,
  facts: PolicyFacts,
): string | null {
  const found = evaluatePolicies(policies, facts);
  if (found.policy?.id !== sealed.id || found.policy.version !== sealed.version)
    return 'the policy is not the one that decides';
  if (sealed.considered && !isSameList(sealed.considered, found.considered))
    return 'the policies considered are not those that cover the action';
  for (const [i, finding] of found.guards.entries()) {
    const guard = sealed.guards[i];
    const isSame =
      guard !== undefined &&
      (finding.policy ?? undefined) === guard.policy &&
      (finding.version ?? undefined) === guard.version &&
      (finding.guard === 'risk_threshold' && facts.riskScore === undefined
        ? possibleRiskWords(found.requirements, facts).includes(guard.detail)
        : finding.verdict === 'pass' && finding.detail === guard.detail);
    if (!isSame) return `the guard ${finding.guard} does not hold`;
  }
  return null;
}

const isSameList = (one: readonly PolicyVersion[], other: readonly PolicyVersion[]): boolean =>
  one.length === other.length &&
  one.every(({ id, version }, i) => id === other[i]!.id && version === other[i]!.version);

/** The possible findings for a withheld score: as for none, for the lowest and for the highest. */
function possibleRiskWords(asked: Requirements, facts: DecisionFacts): string[] {
  return [null, 0, 1].flatMap((riskScore) => {
    const findings = evaluateGuards(asked, { ...facts, riskScore });
    const { verdict, detail } = findings[GUARDS.indexOf('risk_threshold')]!;
    return verdict === 'pass' ? [detail] : [];
  });
}
