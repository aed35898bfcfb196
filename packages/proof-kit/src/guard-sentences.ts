import { durationWords } from './duration-words.ts';
import { AUTHENTICATION_SENTENCES, LEVEL_WORDS, percentWords } from './guard-words.ts';
import type { Authentication, Level } from './guards.ts';
import { parseQuorums } from './quorum.ts';
import { type GroupName, quorumPhrase } from './seat-sentences.ts';

/** The guards of a policy as headings for readers. */
const NAMES: Record<string, string> = {
  policy_existence: 'Policy',
  evidence_level: 'Evidence',
  human_review: 'Human review of AI',
  risk_threshold: 'Risk threshold',
  dual_approval: 'Two approvers',
  approver_authentication: 'Approver authentication',
  quorum: 'Quorum',
  self_approval: 'Self-approval',
};

export const guardName = (guard: string): string => NAMES[guard] ?? guard.replaceAll('_', ' ');

export const isRequired = ({ detail }: { detail: string }): boolean => detail !== 'not required';

const STATES: Record<string, string> = {
  given: 'given',
  filled: 'given',
  awaited: 'still missing',
  rejected: 'rejected',
  'under a mandate': 'covered by a mandate',
};

/**
 * The sealed detail of a guard, which is a fixed text for machines, as a sentence. Unknown texts are shown unchanged. Ids of
 * groups become names if the reader may see them.
 */
export function guardSentence(detail: string, groupName: GroupName = () => undefined) {
  const [, need, state] = /^(.+): (given|filled|awaited|rejected|under a mandate)$/.exec(detail) ?? [];
  if (need === undefined) return capitalized(requirement(detail, groupName));
  return `${capitalized(requirement(need, groupName))}: ${STATES[state!]}`;
}

/** The same without the state: what the guard needs. */
export function guardNeed(detail: string, groupName: GroupName = () => undefined): string {
  const [, need = detail] = /^(.+): (?:given|filled|awaited|rejected|under a mandate)$/.exec(detail) ?? [];
  return capitalized(requirement(need, groupName));
}

function requirement(text: string, groupName: GroupName): string {
  const quorums = parseQuorums(text);
  if (quorums)
    return quorums.map((quorum) => `approval by ${quorumPhrase(quorum, groupName)}`).join('; and ');
  const [, level, minimum] = /^level (\w+), at least (\w+) required$/.exec(text) ?? [];
  if (minimum) return `${levelWord(level!)}; at least ${levelWord(minimum)} is required`;
  const [, risk] = /^risk at most ([\d.e-]+)$/.exec(text) ?? [];
  if (risk) return `risk at most ${percentWords(Number(risk))}`;
  const [, exceeded] = /^risk over ([\d.e-]+): approval by a human$/.exec(text) ?? [];
  if (exceeded) return `approval by a human, because the risk is over ${percentWords(Number(exceeded))}`;
  if (text === 'risk not rated: approval by a human') {
    return 'approval by a human, because the risk is not rated';
  }
  const [, authentication, hours] =
    /^approvers at least (ASSERTED|SESSION|SIGNED)(?:, passkeys at least (\d+) hours old)?$/.exec(text) ?? [];
  if (!authentication) return text;
  const age = hours ? `, registered at least ${durationWords(Number(hours) * 3_600)} before` : '';
  return AUTHENTICATION_SENTENCES[authentication as Authentication] + age;
}

const levelWord = (level: string) => LEVEL_WORDS[level as Level] ?? level;

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
