/** What a policy asks for, as sentences: for the list of policies, its versions and the audit log. */

import { durationWords } from './duration-words.ts';
import type { PolicyGuards } from './effective-policy.ts';
import { guardName } from './guard-sentences.ts';
import { AUTHENTICATION_SENTENCES, LEVEL_WORDS, percentWords } from './guard-words.ts';
import { quorumOf } from './quorum.ts';
import { escalationPhrase, type GroupName, orderPhrase, quorumPhrase, seatPhrase } from './seat-sentences.ts';

type Demands = Omit<PolicyGuards, 'quorum' | 'enforced'>;

/** By the member that it explains; null if a value asks for nothing. */
const SENTENCES: { [Name in keyof Demands]-?: (value: NonNullable<Demands[Name]>) => string | null } = {
  humanReviewForAi: (isAsked) =>
    isAsked ? 'A person reviews decisions of an AI' : 'Decisions of an AI need no review',
  riskThreshold: (share) => `A person approves above a risk of ${percentWords(share)}`,
  riskRequired: (isAsked) =>
    isAsked
      ? 'A decision without a risk score counts as the riskiest'
      : 'A decision without a risk score counts as harmless',
  dualApproval: (isAsked) => (isAsked ? 'Approval by two different approvers' : 'One approver is enough'),
  minimumEvidenceLevel: (level) => `The evidence is at least ${LEVEL_WORDS[level]}`,
  approverAuthentication: (how) => capitalized(AUTHENTICATION_SENTENCES[how]),
  passkeyAgeHours: (hours) =>
    hours > 0
      ? `A passkey counts once it is ${durationWords(hours * 3_600)} old`
      : 'A passkey counts as soon as it is registered',
  quorumOrdered: (isOrdered) => (isOrdered ? capitalized(orderPhrase) : null),
  // Both are one sentence, which needs the names of groups.
  escalateAfterSeconds: () => null,
  escalateToGroup: () => null,
};

/** The sentences, without full stops, by the member of the guards that each explains. */
export function policySentences(guards: PolicyGuards, groupName: GroupName): Map<string, string> {
  const sentences = new Map<string, string>();
  const add = (member: string, text: string | null) => text !== null && sentences.set(member, text);
  for (const [member, sentence] of Object.entries(SENTENCES)) {
    const value = guards[member as keyof Demands];
    if (value !== undefined && value !== null) add(member, (sentence as (value: unknown) => string)(value));
  }
  const quorum = quorumOf(guards);
  if (quorum?.escalation) add('escalation', capitalized(escalationPhrase(quorum.escalation, groupName)));
  for (const guard of guards.enforced ?? []) {
    add(`enforced.${guard}`, `Narrower policies can only tighten “${guardName(guard)}”`);
  }
  return sentences;
}

/** Members that the sentence about the quorum contains. */
const OF_QUORUM = new Set(['quorumOrdered', 'escalation']);

/** Everything that a policy asks for, without full stops. The quorum is worded as a request shows it. */
export function policyStatements(guards: PolicyGuards, groupName: GroupName): string[] {
  const quorum = quorumOf(guards);
  const others = [...policySentences(guards, groupName)].flatMap(([member, sentence]) =>
    OF_QUORUM.has(member) ? [] : [sentence],
  );
  return [...(quorum ? [`Approval by ${quorumPhrase(quorum, groupName)}`] : []), ...others];
}

/** The seats of a policy as phrases, in their order. */
export const policySeats = (guards: PolicyGuards, groupName: GroupName): string[] =>
  (quorumOf(guards)?.seats ?? []).map((seat) => seatPhrase(seat, groupName));

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
