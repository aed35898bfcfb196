/** The sections of a decision card, in the order in which a reader needs them. */
import { absentOfApprovals, approvalPoint, isPending, seatPoint } from './card-approvals.ts';
import type { CardFacts, CardGuard } from './card-facts.ts';
import {
  absence,
  type CardPoint,
  type CardSection,
  memberName,
  nameOf,
  part,
  partyWords,
  quote,
  row,
  type SectionOf,
  section,
  sentence,
} from './card-parts.ts';
import { exactArguments, expected, mandate, request } from './card-request.ts';
import { hasMembers, valueRows } from './card-values.ts';
import { guardName, guardSentence, isRequired } from './guard-sentences.ts';
import { isMandateGrant } from './guards.ts';
import { printable } from './printable.ts';

const shareOf = (kind: 'risk' | 'confidence', share: number | undefined) =>
  share === undefined
    ? { value: undefined }
    : { value: sentence(`${Math.round(share * 100)} %`), meter: { kind, share } };

/** Before a decision, a missing rating is a fact too. */
const riskOf = (facts: CardFacts) =>
  facts.riskScore === undefined && isPending(facts)
    ? { value: sentence('Not rated') }
    : shareOf('risk', facts.riskScore);

const risk: SectionOf = (facts) => {
  const { confidence, reasoning } = facts;
  const model = [facts.provider, facts.model].filter((each) => each !== undefined && each !== '');
  return section('risk', 'Risk and reasoning', {
    rows: [
      ...row(facts, 'Risk', { path: 'riskScore', ...riskOf(facts) }),
      ...row(facts, 'Confidence of the model', {
        path: 'aiContext.confidence',
        ...shareOf('confidence', confidence),
      }),
      ...row(facts, 'Reasoning', { path: 'aiContext.reasoning', value: quote(reasoning) }),
      ...row(facts, 'Model', {
        path: 'aiContext.model',
        value: model.length > 0 ? [part('name', model.join(' · '))] : undefined,
      }),
    ],
  });
};

const VERDICTS = { pass: 'met', fail: 'unmet', pending: 'open' } as const;

/** `Two approvers: Approval by two different approvers: still missing (policy Refunds, version 3)`. */
export function guardPoint(
  facts: Pick<CardFacts, 'names'>,
  { guard, verdict, detail, policy, policyName, version }: CardGuard,
): CardPoint {
  const name = policyName ?? nameOf(facts, policy);
  const groupName = (id: string) => {
    const known = nameOf(facts, id);
    return known && printable(known);
  };
  const state = Object.hasOwn(VERDICTS, verdict) ? VERDICTS[verdict as keyof typeof VERDICTS] : 'open';
  const ofVersion = version === undefined ? '' : `, version ${version}`;
  return {
    state,
    title: printable(guardName(guard)),
    words: sentence(
      printable(guardSentence(detail, groupName)),
      ...(name
        ? [' (policy ', part('name', name), `${ofVersion})`]
        : policy
          ? [` (policy${ofVersion})`]
          : []),
    ),
  };
}

const policies: SectionOf = (facts) => {
  const pending = isPending(facts);
  const { guards } = facts;
  const isFree = pending && guards.length > 0 && guards.every(({ verdict }) => verdict === 'pass');
  const isGrant = pending && isMandateGrant(facts.type, facts.action.type);
  const rest = [
    ...(isFree ? ['No policy requires more. An administrator decides.'] : []),
    ...(isGrant ? ['Mandates are approved by people who are signed in, never by an API key.'] : []),
  ];
  return section('policies', pending ? 'What the policies require' : 'What the policies required', {
    points: [
      ...guards.filter(isRequired).map((each) => guardPoint(facts, each)),
      ...rest.map((words): CardPoint => ({ state: 'note', words: sentence(words) })),
    ],
  });
};

const seats: SectionOf = (facts) =>
  section('seats', isPending(facts) ? 'Who has to approve' : 'Who had to approve', {
    points: facts.seats.map((seat) => seatPoint(facts, seat)),
  });

const approvals: SectionOf = (facts) => {
  const given = facts.approvals.map((each) => approvalPoint(facts, each));
  const none: CardPoint[] = [{ state: 'open', words: sentence('Waiting for the first approval.') }];
  return section('approvals', 'Approvals', {
    points: [...(given.length === 0 && isPending(facts) ? none : given), ...absentOfApprovals(facts)],
  });
};

const OUTCOMES: Record<string, readonly [CardPoint['state'], string]> = {
  executed: ['met', 'Carried out as approved'],
  failed: ['unmet', 'The action failed'],
  unknown: ['open', 'It is not known whether the action was carried out'],
};

/** `Carried out as approved, reported by the API key Back office`. */
export function outcomePoint(
  facts: CardFacts,
  { status, by, recordedAt }: NonNullable<CardFacts['outcome']>,
): CardPoint {
  const [state, text] = Object.hasOwn(OUTCOMES, status) ? OUTCOMES[status]! : (['note', status] as const);
  const words = sentence(printable(text), ...(by ? [', reported by ', partyWords(facts, by)] : []));
  return { state, words, at: recordedAt };
}

const outcome: SectionOf = (facts) => {
  const title = 'Outcome';
  const { outcome: reported, status, isCopy } = facts;
  if (!reported) {
    const none = isCopy ? 'This copy shows no outcome.' : 'No outcome was reported yet.';
    const words = sentence(none);
    return status === 'sealed' ? section('outcome', title, { points: [{ state: 'note', words }] }) : null;
  }
  const { output } = reported;
  const gone = absence(facts, 'outcome.output');
  const missing = gone ?? (hasMembers(output) ? null : sentence('No result was reported with it.'));
  return section('outcome', title, {
    points: [outcomePoint(facts, reported)],
    rows: missing ? [{ label: 'Result', value: missing, isAbsent: true }] : [],
    values: missing ? [] : valueRows(output),
  });
};

/** Members that the other sections speak of. */
const SAID = new Set([
  'action.description',
  'action.input',
  'action.output',
  'tags',
  'riskScore',
  'aiContext.model',
  'aiContext.confidence',
  'aiContext.reasoning',
  'approvals.approver.name',
  'approvals.approver.id',
  'approvals.reason',
  'outcome.output',
]);

const absent: SectionOf = (facts) => {
  const isOther = (path: string) => !SAID.has(path);
  const { withheld, unclear = [], erased } = facts;
  const paths = [...withheld, ...unclear, ...erased.map(({ path }) => path)].filter(isOther);
  return section('absent', 'What is not shown', {
    rows: [...new Set(paths)].map((path) => ({
      label: printable(memberName(path)),
      value: absence(facts, path)!,
      isAbsent: true,
    })),
  });
};

const SECTIONS = [
  request,
  mandate,
  exactArguments,
  risk,
  policies,
  seats,
  approvals,
  expected,
  outcome,
  absent,
];

export const cardSections = (facts: CardFacts): CardSection[] =>
  SECTIONS.flatMap((build) => build(facts) ?? []);
