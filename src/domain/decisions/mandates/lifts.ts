// What a mandate would change under the policies in force: which approvals it replaces, and where it cannot be used.
import { exampleOf, matchesAction, specificity } from '@countersign/proof-kit/action-pattern';
import { type EffectivePolicy, effectivePolicy, type Policy } from '@countersign/proof-kit/effective-policy';
import { percentWords } from '@countersign/proof-kit/guard-words';
import { type GroupName, inWords, quorumPhrase } from '@countersign/proof-kit/seat-sentences';
import type { Context } from '../../context.ts';
import { namesOfGroups } from '../../memberships/groups.ts';
import { namesOfPolicies } from '../../policies/list-policies.ts';
import { type NotUsed, obstacleIn } from './not-used.ts';

/** The patterns within which the same policies apply: that of the mandate, and those of narrower policies inside it. */
export function patternsWithin(pattern: string, policies: readonly Policy[]): string[] {
  const narrower = policies
    .map(({ actionPattern }) => actionPattern)
    .filter((each) => specificity(each) > specificity(pattern) && matchesAction(pattern, exampleOf(each)));
  return [pattern, ...new Set(narrower)];
}

const effectiveFor = (policies: readonly Policy[], pattern: string): EffectivePolicy =>
  effectivePolicy(policies, { actionType: exampleOf(pattern) });

/** Why the policies let the mandate approve none of its actions; null if it can approve at least some of them. */
export function obstacleFor(policies: readonly Policy[], pattern: string): NotUsed | null {
  const obstacles = patternsWithin(pattern, policies).map((each) => obstacleIn(effectiveFor(policies, each)));
  return obstacles.every((each) => each !== null) ? obstacles[0]! : null;
}

/** Names for the ids that policies mention. */
interface Names {
  policy: (id: string) => string;
  group: GroupName;
}

/** The sentences for a pattern of actions, those about all its actions first. */
export function liftSentences(policies: readonly Policy[], pattern: string, names: Names): string[] {
  const [all, ...narrower] = patternsWithin(pattern, policies).map((place) => ({
    place,
    sentences: liftsOf(effectiveFor(policies, place), place, names),
  }));
  const general = all!.sentences.length > 0 ? all!.sentences : [nothingToReplace(pattern)];
  const special = narrower.flatMap(({ place, sentences }) => {
    if (sentences.length === 0 && all!.sentences.length > 0) return [nothingToReplace(place)];
    return sentences
      .filter((sentence) => !all!.sentences.includes(sentence))
      .map((sentence) => (sentence.startsWith('Replaces') ? `For ${place}: ${lowered(sentence)}` : sentence));
  });
  return [...general, ...special];
}

function liftsOf(effective: EffectivePolicy, place: string, names: Names): string[] {
  const { guards, quorums } = effective;
  const of = ({ policy }: { policy: { id: string } }) => `policy “${names.policy(policy.id)}”`;
  const obstacle = OBSTACLES[obstacleIn(effective) ?? ''];
  if (obstacle) {
    const setter = guards[obstacle.demand]!;
    return [`Cannot be used for ${place}: ${of(setter)} ${obstacle.reason}.`];
  }
  const { humanReviewForAi: review, riskThreshold: risk, riskRequired } = guards;
  const unrated = riskRequired?.value ? ' or without a risk score' : '';
  return [
    ...quorums.map(({ value, policy }) => {
      const size = value.seats.reduce((total, { count }) => total + count, 0);
      const who = quorumPhrase({ ...value, escalation: null }, names.group);
      return `Replaces the quorum of ${inWords(size)} of ${of({ policy })}: ${who}.`;
    }),
    ...(review?.value ? [`Replaces the human review of AI decisions that ${of(review)} requires.`] : []),
    ...(risk && risk.value < 1
      ? [
          `Replaces the approval that ${of(risk)} requires above a risk of ${percentWords(risk.value)}${unrated}.`,
        ]
      : []),
  ];
}

const OBSTACLES: Record<
  string,
  { demand: 'dualApproval' | 'approverAuthentication'; reason: string } | undefined
> = {
  needs_two: { demand: 'dualApproval', reason: 'requires two approvers, and a mandate counts as none' },
  needs_passkey: { demand: 'approverAuthentication', reason: 'requires approvers who sign with a passkey' },
  needs_session: { demand: 'approverAuthentication', reason: 'requires approvers who are signed in' },
};

const nothingToReplace = (place: string) =>
  `Replaces nothing for ${place}: no policy in force requires a person for these calls.`;

const lowered = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1);

/** The same with the present names of policies and groups, by pattern. */
export async function namedLifts(
  ctx: Context,
  policies: readonly Policy[],
  patterns: readonly string[],
): Promise<Map<string, string[]>> {
  const [policyNames, groupNames] = await Promise.all([
    namesOfPolicies(
      ctx,
      policies.map(({ id }) => id),
    ),
    namesOfGroups(
      ctx,
      policies.flatMap(({ guards }) => (guards.quorum ?? []).flatMap(({ group }) => group ?? [])),
    ),
  ]);
  const names: Names = {
    policy: (id) => policyNames.get(id) ?? id,
    group: (id) => groupNames.get(id),
  };
  return new Map(patterns.map((pattern) => [pattern, liftSentences(policies, pattern, names)]));
}
