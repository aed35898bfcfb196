// Seats that the present members cannot fill, or only one of them.
import type { Authentication } from '@countersign/proof-kit/guards';
import { type Quorum, quorumOf } from '@countersign/proof-kit/quorum';
import { effectiveOf, type PolicyDraft } from './draft.ts';
import { fillable, isEntitled, type Person, stronger } from './people.ts';
import { hint, type PolicyWarning, warning } from './warning.ts';

/** More candidates than the largest quorum has places: such a place can always be filled. */
const MANY = 51;
const MOST_NAMES = 5;

export function seatWarnings(draft: PolicyDraft, people: readonly Person[]): PolicyWarning[] {
  const quorum = quorumOf(draft.policy.guards);
  const atLeast = effectiveOf(draft).guards.approverAuthentication?.value ?? 'ASSERTED';
  if (!quorum) return approverWarnings(draft, people, atLeast);
  const seats = quorum.seats.map((_, i) => seatOf(draft, quorum, i, people, atLeast));
  const warnings = seats.flatMap(({ warnings: own }) => own);
  const isShort = seats.some(({ able, count }) => able && able.length < count);
  return isShort ? warnings : [...warnings, ...togetherWarnings(seats)];
}

interface PolicySeat {
  count: number;
  /** Null if an API key can name any human. */
  able: Person[] | null;
  warnings: PolicyWarning[];
}

function seatOf(
  { groupNames }: PolicyDraft,
  quorum: Quorum,
  index: number,
  people: readonly Person[],
  atLeast: Authentication,
): PolicySeat {
  const seat = quorum.seats[index]!;
  const { count, group } = seat;
  const asked = stronger(seat.authentication, atLeast);
  if (group === null && asked === 'ASSERTED') return { count, able: null, warnings: [] };
  const entitled = people.filter((person) => isEntitled(seat, quorum, person));
  const able = asked === 'SIGNED' ? entitled.filter(({ hasPasskey }) => hasPasskey) : entitled;
  const groupName = group === null ? null : groupNames.get(group)!;
  const message = shortage({ count, entitled, able, groupName });
  return { count, able, warnings: message === null ? [] : [warning(`guards.quorum.${index}`, message)] };
}

interface Candidates {
  count: number;
  entitled: Person[];
  able: Person[];
  groupName: string | null;
}

/** What keeps a seat from being filled; null if it can be. */
function shortage({ count, entitled, able, groupName }: Candidates): string | null {
  if (entitled.length === 0) return `No member can fill this seat: ${groupName} has no active member.`;
  if (able.length === 0)
    return 'No member can fill this seat: it requires a passkey, and none of them has one.';
  const without = entitled.length - able.length;
  const passkeys =
    without === 0 ? '' : ` ${without === 1 ? 'Another has' : `${without} others have`} no passkey.`;
  if (able.length === 1) {
    const short = count > 1 ? ` It needs ${count} people.` : '';
    return `Only one person can fill this seat: ${namesOf(able)}.${short}${passkeys}`;
  }
  if (able.length >= count) return null;
  return `This seat needs ${count} people, but only ${able.length} can fill it: ${namesOf(able)}.${passkeys}`;
}

/** Each place needs another person, so seats that can be filled one by one may still be too many together. */
function togetherWarnings(seats: readonly PolicySeat[]): PolicyWarning[] {
  const places = seats.flatMap(({ able, count }) =>
    able && able.length < MANY ? Array.from({ length: count }, () => able.map(({ actorId }) => actorId)) : [],
  );
  if (places.length === 0) return [];
  const possible = fillable(places);
  if (possible < places.length) {
    const message = `Only ${possible} of ${places.length} approvals can be given: each needs a different person, and too few members can fill these seats.`;
    return [warning('guards.quorum', message)];
  }
  const people = new Map(seats.flatMap(({ able }) => able ?? []).map((person) => [person.actorId, person]));
  const needed = [...people.values()].filter(
    ({ actorId }) => fillable(places.map((able) => able.filter((id) => id !== actorId))) < places.length,
  );
  return needed.length === 0 ? [] : [hint('guards.quorum', requesterHint(needed))];
}

const requesterHint = (needed: Person[]) =>
  `The seats need every one of these members: ${namesOf(needed)}. A request that one of them makes cannot be approved, because the requester fills no seat.`;

/** Without a quorum, approving is up to administrators. */
function approverWarnings(
  { policy }: PolicyDraft,
  people: readonly Person[],
  atLeast: Authentication,
): PolicyWarning[] {
  const { dualApproval, approverAuthentication } = policy.guards;
  const isTwo = dualApproval === true;
  if (atLeast === 'ASSERTED' || (!isTwo && approverAuthentication == null)) return [];
  const path = isTwo ? 'guards.dualApproval' : 'guards.approverAuthentication';
  const admins = people.filter(({ isAdmin }) => isAdmin);
  const able = atLeast === 'SIGNED' ? admins.filter(({ hasPasskey }) => hasPasskey) : admins;
  const how = atLeast === 'SIGNED' ? ' with a passkey' : '';
  if (able.length === 0)
    return [warning(path, `No administrator has a passkey, so no request can be approved.`)];
  if (able.length > 1) return [];
  const only = `Only one administrator can approve${how}: ${namesOf(able)}.`;
  return [
    isTwo
      ? warning(path, `Two people must approve. ${only}`)
      : hint(path, `${only} Their own requests may wait.`),
  ];
}

function namesOf(people: readonly Person[]): string {
  const names = people.slice(0, MOST_NAMES).map(({ name }) => name);
  const more = people.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
