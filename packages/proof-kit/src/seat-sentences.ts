/** The seats of a quorum as sentences, the same wherever people read about a rule. */
import { durationWords } from './duration-words.ts';
import type { Authentication, Quorum, Seat } from './quorum.ts';

/** The name of a group, if the reader may know it. */
export type GroupName = (id: string) => string | undefined;

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** A small number as a word: `two`. */
export const inWords = (count: number): string => NUMBERS[count] ?? String(count);

const AUTHENTICATIONS: Record<Authentication, string> = {
  ASSERTED: 'signed in or asserted by an API key',
  SESSION: 'signed in',
  SIGNED: 'with a passkey',
};

/** The parts of a seat's phrase, before and after the name of its group: “two members of ” and “, each with a passkey”. */
export function seatParts({ group, count, authentication }: Seat): { people: string; how: string } {
  const isOne = count === 1;
  const people = group === null ? (isOne ? 'person' : 'people') : `${isOne ? 'member' : 'members'} of `;
  return {
    people: `${inWords(count)} ${people}`,
    how: `, ${isOne ? '' : 'each '}${AUTHENTICATIONS[authentication]}`,
  };
}

/** Who has to fill a seat: “two members of Finance, each with a passkey”. */
export function seatPhrase(seat: Seat, groupName: GroupName): string {
  const { people, how } = seatParts(seat);
  return `${people}${seat.group === null ? '' : nameOf(seat.group, groupName)}${how}`;
}

const nameOf = (group: string, groupName: GroupName) => groupName(group) ?? 'a group whose name is not shown';

/** How many people a seat still needs: “one open”; for the one person of a seat, just “open”. */
export const seatsLeft = (count: number, filled: number, open = 'open'): string =>
  filled === 0 && count === 1 ? open : `${inWords(count - filled)} ${open}`;

/** Who fills a seat so far: “filled by Ada Lovelace; one open”. */
export function seatProgress(count: number, names: readonly string[]): string {
  return [
    ...(names.length > 0 ? [`filled by ${names.join(', ')}`] : []),
    ...(names.length < count ? [seatsLeft(count, names.length)] : []),
  ].join('; ');
}

export const orderPhrase = 'a later seat waits until the earlier ones are filled';

export const escalationPhrase = (
  { afterSeconds, group }: NonNullable<Quorum['escalation']>,
  groupName: GroupName,
): string =>
  `after ${durationWords(afterSeconds)}, members of ${nameOf(group, groupName)} can fill open seats`;

/** Everything that a quorum asks for, without a verb: “two members of Finance, each signed in; one person, with a passkey”. */
export function quorumPhrase({ seats, ordered, escalation }: Quorum, groupName: GroupName): string {
  const asked = seats.map((seat) => seatPhrase(seat, groupName)).join('; ');
  const order = ordered ? ', in this order' : '';
  return `${asked}${order}${escalation ? `; ${escalationPhrase(escalation, groupName)}` : ''}`;
}
