/** The seats of a quorum as sentences, the same wherever people read about a rule. */
import { durationWords } from './duration-words.ts';
import type { Authentication, Quorum, Seat } from './quorum.ts';

/** The name of a group, if the reader may know it. */
export type GroupName = (id: string) => string | undefined;

const EACH: Record<Authentication, string> = {
  ASSERTED: 'signed in or as reported by a system',
  SESSION: 'signed in',
  SIGNED: 'signing with a passkey',
};

/** Who has to fill a seat: “2 members of Finance, signed in”. */
export function seatPhrase({ group, count, authentication }: Seat, groupName: GroupName): string {
  return `${peoplePhrase(count, group, groupName)}, ${EACH[authentication]}`;
}

function peoplePhrase(count: number, group: string | null, groupName: GroupName): string {
  if (group === null) return count === 1 ? '1 person' : `${count} people`;
  return `${count} ${count === 1 ? 'member' : 'members'} of ${groupName(group) ?? 'an approval group'}`;
}

/** What a seat still needs: “filled by Ada Lovelace; 1 still missing”. `names` has one entry for each counted approver. */
export function seatProgress(count: number, names: readonly string[]): string {
  const missing = count - names.length;
  const parts = [
    ...(names.length > 0 ? [`filled by ${names.join(', ')}`] : []),
    ...(missing > 0 ? [`${missing} still missing`] : []),
  ];
  return parts.join('; ');
}

export const orderPhrase = 'a later seat waits until the earlier ones are filled';

export const escalationPhrase = (
  { afterSeconds, group }: NonNullable<Quorum['escalation']>,
  groupName: GroupName,
): string =>
  `after ${durationWords(afterSeconds)}, members of ${groupName(group) ?? 'another approval group'} can fill open seats`;

/** Everything that a quorum asks for, without a verb: “2 members of Finance, signed in; 1 person, signing with a passkey”. */
export function quorumPhrase({ seats, ordered, escalation }: Quorum, groupName: GroupName): string {
  const asked = seats.map((seat) => seatPhrase(seat, groupName)).join('; ');
  const order = ordered ? ', in this order' : '';
  return `${asked}${order}${escalation ? `; ${escalationPhrase(escalation, groupName)}` : ''}`;
}
