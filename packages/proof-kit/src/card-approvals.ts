/** Who approved and how: the seats of a quorum and each approval as a sentence. */
import type { CardApproval, CardFacts, CardSeat } from './card-facts.ts';
import {
  type CardPart,
  type CardPoint,
  capitalized,
  keyWords,
  listed,
  memberName,
  nameOf,
  part,
  partyWords,
  sentence,
  startCapital,
} from './card-parts.ts';
import { printableLines } from './printable.ts';
import { seatParts, seatsLeft } from './seat-sentences.ts';

export const isPending = ({ status }: CardFacts): boolean => status === 'recorded' || status === 'approved';

/** `Two members of Finance, each with a passkey: filled by Ann Lee; one open`. */
export function seatPoint(facts: CardFacts, seat: CardSeat): CardPoint {
  const { count, group, filledBy, open } = seat;
  const { people, how } = seatParts(seat);
  const groupName = seat.groupName ?? nameOf(facts, group ?? undefined);
  const approvers = filledBy.flatMap((place) => {
    const approval = facts.approvals[place];
    return approval ? [partyWords(facts, approval.approver)] : [];
  });
  const left = seatsLeft(count, filledBy.length, isPending(facts) ? 'open' : 'not filled');
  return {
    state: !open ? 'met' : isPending(facts) ? 'open' : 'unmet',
    words: sentence(
      capitalized(people),
      group === null ? '' : groupName ? part('name', groupName) : 'a group whose name is not shown',
      `${how}: `,
      ...(approvers.length > 0 ? ['filled by ', listed(approvers)] : []),
      ...(open ? [approvers.length > 0 ? '; ' : '', left] : []),
    ),
  };
}

/** Why the service rejected a decision, by the reason that it seals. */
const ENDINGS: Record<string, string> = {
  expired: 'The request expired: no sufficient approval came in time',
  withdrawn: 'The request was withdrawn',
  erased: 'The request was rejected, because its content was erased',
};

/** `Ann Lee approved, signed with a passkey`. */
export function approvalPoint(facts: CardFacts, approval: CardApproval): CardPoint {
  const { result, by, reason, approvedAt } = approval;
  const ending = by.kind === 'system' && result === 'rejected' ? ENDINGS[reason ?? ''] : undefined;
  return {
    state: result === 'approved' ? 'met' : 'unmet',
    words: ending ? sentence(ending) : startCapital(approvalWords(facts, approval)),
    at: approvedAt,
    ...(reason && !ending && { quote: printableLines(reason) }),
  };
}

function approvalWords(facts: CardFacts, approval: CardApproval): CardPart[] {
  const { approver, result, by, assertedBy, onBehalfOf, isEscalated } = approval;
  if (by.kind === 'system')
    return sentence(
      result === 'approved'
        ? 'approved by the service: no policy asks for a person'
        : 'rejected by the service',
    );
  if (by.kind === 'mandate') return sentence('approved under a mandate', usage(facts));
  const behalf = onBehalfOf ? [' on behalf of ', partyWords(facts, onBehalfOf)] : [];
  const provider = by.via ? providerWords(by.identity?.issuer) : [];
  const way = {
    passkey: ['signed with a passkey', ...(by.via ? [', signed in', ...provider] : [])],
    session: ['signed in', ...provider],
    api_key: [`${approver.type === 'human' ? 'asserted' : 'sent'} by `, keyWords(assertedBy)],
  }[by.kind];
  return sentence(
    partyWords(facts, approver),
    ` ${result}`,
    ...behalf,
    ', ',
    ...way,
    isEscalated ? ', after the seat was opened to a further group' : '',
  );
}

const providerWords = (issuer: string | undefined): (string | CardPart)[] =>
  issuer
    ? [' through ', part('code', issuer)]
    : [" through the company's identity provider, which is not named"];

function usage({ mandate }: CardFacts): CardPart[] {
  if (!mandate) return [];
  const spent = mandate.spent === undefined ? '' : `, ${mandate.spent} of its budget spent`;
  return sentence(' (', part('code', mandate.id), `): use ${mandate.use}${spent}`);
}

const OF_APPROVERS = ['approvals.approver.name', 'approvals.approver.id', 'approvals.reason'];

/** What this copy does not say of the approvers, so that a missing reason is not taken for none. */
export function absentOfApprovals({ withheld, unclear = [], erased }: CardFacts): CardPoint[] {
  const said = (paths: readonly string[], how: string) => {
    const names = OF_APPROVERS.filter((path) => paths.includes(path)).map(
      (path) => memberName(path).split(': ').at(-1)!,
    );
    return names.length > 0
      ? [{ state: 'note' as const, words: sentence(`${how} ${names.join(', ')} of approvers.`) }]
      : [];
  };
  return [
    ...said(withheld, 'Withheld in this copy:'),
    ...said(unclear, 'Not in this copy, withheld or never given:'),
    ...said(
      erased.map(({ path }) => path),
      'Erased:',
    ),
  ];
}
