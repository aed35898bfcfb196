import type { Authentication } from './guards.ts';
import { parseQuorums, type Quorum } from './quorum.ts';

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

const LEVELS: Record<string, string> = {
  DRAFT: 'draft',
  DOCUMENTED: 'documented',
  AUDIT_READY: 'ready for audit',
};

const AUTHENTICATIONS: Record<Authentication, string> = {
  ASSERTED: 'signed in or as reported by a system',
  SESSION: 'signed in',
  SIGNED: 'signing with a passkey',
};

const REQUIRED: Record<Authentication, string> = {
  ASSERTED: 'an approval that a system reports is enough',
  SESSION: 'approvers must be signed in',
  SIGNED: 'approvers must sign with a passkey',
};

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
export function guardSentence(
  detail: string,
  groupName: (id: string) => string | undefined = () => undefined,
) {
  const [, need, state] = /^(.+): (given|filled|awaited|rejected|under a mandate)$/.exec(detail) ?? [];
  if (need === undefined) return capitalized(requirement(detail, groupName));
  return `${capitalized(requirement(need, groupName))}: ${STATES[state!]}`;
}

type GroupName = (id: string) => string | undefined;

function requirement(text: string, groupName: GroupName): string {
  const quorums = parseQuorums(text);
  if (quorums) return quorums.map((quorum) => quorumSentence(quorum, groupName)).join('; and ');
  const [, level, minimum] = /^level (\w+), at least (\w+) required$/.exec(text) ?? [];
  if (minimum) return `${LEVELS[level!]}; at least ${LEVELS[minimum]} is required`;
  const [, risk] = /^risk at most ([\d.e-]+)$/.exec(text) ?? [];
  if (risk) return `risk at most ${percent(risk)}`;
  const [, exceeded] = /^risk over ([\d.e-]+): approval by a human$/.exec(text) ?? [];
  if (exceeded) return `approval by a human, because the risk is over ${percent(exceeded)}`;
  if (text === 'risk not rated: approval by a human') {
    return 'approval by a human, because the risk is not rated';
  }
  const [, authentication, hours] =
    /^approvers at least (ASSERTED|SESSION|SIGNED)(?:, passkeys at least (\d+) hours old)?$/.exec(text) ?? [];
  if (!authentication) return text;
  const age = hours ? `, registered at least ${hours} hours before` : '';
  return REQUIRED[authentication as Authentication] + age;
}

function quorumSentence({ seats, ordered, escalation }: Quorum, groupName: GroupName): string {
  const asked = seats.map(({ group, count, authentication }) => {
    const people = count === 1 ? '1 person' : `${count} people`;
    const from = group === null ? '' : ` of ${groupName(group) ?? 'an approval group'}`;
    return `${people}${from}, ${AUTHENTICATIONS[authentication]}`;
  });
  const order = ordered ? ', in this order' : '';
  const hours = escalation ? Math.round(escalation.afterSeconds / 360) / 10 : 0;
  const later = escalation
    ? `; after ${hours} hours, ${groupName(escalation.group) ?? 'another approval group'} too`
    : '';
  return `approval by ${asked.join('; ')}${order}${later}`;
}

const percent = (share: string) => `${Math.round(Number(share) * 100)} %`;

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
