// Finds the person of a provider's subject, in the order of the contract. A provider chooses its claims and a directory its
// users, so a match alone never makes anyone sign in as a person who has signed in before: that person must prove it.

import type { Prisma, Tx } from '../../db/database.ts';
import type { Actor, Identity, Membership } from '../../db/generated/prisma/client.ts';
import { DomainError } from '../../lib/errors.ts';
import { isVerifiedDomainOf } from '../email-domains/trust.ts';
import type { SignInFacts } from './claims.ts';

type Person = Actor & { identities: Identity[] };
export type MembershipOfPerson = Membership & { actor: Person };

/** How a new identity was recognized as that of a member. */
export type MatchedBy = 'EXTERNAL_ID' | 'ADDRESS';

export type Match =
  /** The identity belongs to a person with a place in the center. */
  | { kind: 'known'; identity: Identity & { actor: Actor }; membership: Membership }
  /** A person of the center who has never signed in: the identity becomes theirs. */
  | { kind: 'bind'; membership: MembershipOfPerson }
  /** A person who must prove that the profile is theirs. */
  | { kind: 'connect'; membership: MembershipOfPerson; matchedBy: MatchedBy }
  /** An invitation to the address. A known person takes it, or else a new one. */
  | { kind: 'invited'; membership: Membership; identity: (Identity & { actor: Actor }) | null }
  | { kind: 'new' };

const OPEN: Prisma.MembershipWhereInput['status'] = { in: ['PENDING', 'ACTIVE', 'SUSPENDED'] };

const withPerson = (centerId: number) =>
  ({ actor: { include: { identities: { where: { centerId } } } } }) satisfies Prisma.MembershipInclude;

/** Call it under `lockCenter`. */
export async function matchPerson(
  db: Tx,
  { centerId, createOnSignIn }: { centerId: number; createOnSignIn: boolean },
  facts: SignInFacts,
): Promise<Match> {
  const { issuer, subject } = facts;
  const identity = await db.identity.findUnique({
    where: { centerId_issuer_subject: { centerId, issuer, subject } },
    include: { actor: true },
  });
  const address = await verifiedAddress(db, centerId, facts);
  if (identity) return matchKnown(db, identity, address);
  const directory = await userOf(db, centerId, facts.externalId);
  if (directory?.endedAt === null) return proofOf(directory.membership, 'EXTERNAL_ID');
  const member = address === null ? undefined : await memberWith(db, centerId, address, issuer);
  if (member) return proofOf(member, 'ADDRESS');
  const membership = await invitationFor(db, { centerId, address, person: null });
  if (membership) return { kind: 'invited', membership, identity: null };
  if (directory) throw membershipEnded();
  if (createOnSignIn) return { kind: 'new' };
  throw new DomainError('NO_MEMBERSHIP', 'No member fits, and this provider does not create members.');
}

/** The address, if the provider may vouch for it: it says that it verified the address, or the center owns the domain. */
export async function verifiedAddress(
  db: Tx,
  centerId: number,
  { email, emailVerified }: SignInFacts,
): Promise<string | null> {
  if (email === null || emailVerified === false) return null;
  if (emailVerified === true) return email;
  return (await isVerifiedDomainOf(db, centerId, email)) ? email : null;
}

async function matchKnown(
  db: Tx,
  identity: Identity & { actor: Actor },
  address: string | null,
): Promise<Match> {
  const { centerId, actorId, actor } = identity;
  const memberships = await db.membership.findMany({
    where: { centerId, actorId },
    orderBy: [{ invitedAt: 'asc' }, { id: 'asc' }],
  });
  const withStatus = (status: Membership['status']) => memberships.find((each) => each.status === status);
  const membership = withStatus('ACTIVE') ?? withStatus('SUSPENDED') ?? withStatus('PENDING');
  if (membership) {
    requireNotSuspendedMember(membership);
    return { kind: 'known', identity, membership };
  }
  const invited = await invitationFor(db, { centerId, address, person: actor });
  if (invited) return { kind: 'invited', membership: invited, identity };
  if (withStatus('ENDED')) throw membershipEnded();
  throw new DomainError('NO_MEMBERSHIP', 'This person has no membership in the center.');
}

export function requireNotSuspendedMember({ status }: Membership): void {
  if (status !== 'SUSPENDED') return;
  throw new DomainError('MEMBERSHIP_SUSPENDED', 'The membership in this center is suspended.');
}

export const membershipEnded = () =>
  new DomainError('MEMBERSHIP_ENDED', 'The membership in this center has ended; an ADMIN can invite again.');

/** The directory's user with this id: an open one, else the newest that has ended. */
async function userOf(db: Tx, centerId: number, externalId: string | null) {
  if (externalId === null) return undefined;
  const users = await db.scimUser.findMany({
    where: { centerId, externalId },
    include: { membership: { include: withPerson(centerId) } },
    orderBy: { createdAt: 'desc' },
  });
  const found = users.find(({ endedAt }) => endedAt === null) ?? users[0];
  const actor = found?.membership.actor;
  return found && actor ? { endedAt: found.endedAt, membership: { ...found.membership, actor } } : undefined;
}

/**
 * The open member with this address: that of an account, of the directory, or one that an earlier provider could vouch for.
 * Relatives may share an address; a member without an identity of this issuer comes first.
 */
async function memberWith(
  db: Tx,
  centerId: number,
  address: string,
  issuer: string,
): Promise<MembershipOfPerson | undefined> {
  const accounts = await db.actor.findMany({ where: { email: address }, select: { id: true } });
  const users = await db.scimUser.findMany({
    where: { centerId, email: address, endedAt: null },
    select: { membershipId: true },
  });
  const vouched = await db.identity.findMany({
    where: { centerId, email: address, emailVerified: true, actor: { homeCenterId: centerId } },
    select: { actorId: true },
  });
  const actorIds = [...accounts.map(({ id }) => id), ...vouched.map(({ actorId }) => actorId)];
  const rows = await db.membership.findMany({
    where: {
      centerId,
      status: OPEN,
      OR: [{ actorId: { in: actorIds } }, { id: { in: users.map(({ membershipId }) => membershipId) } }],
    },
    include: withPerson(centerId),
    orderBy: [{ invitedAt: 'asc' }, { id: 'asc' }],
  });
  const members = rows.flatMap(({ actor, ...row }) => (actor ? [{ ...row, actor }] : []));
  const isNew = ({ actor }: MembershipOfPerson) => actor.identities.every((each) => each.issuer !== issuer);
  return members.find(isNew) ?? members[0];
}

/** Only a person of the center without any identity is bound without proof. */
function proofOf(membership: MembershipOfPerson, matchedBy: MatchedBy): Match {
  requireNotSuspendedMember(membership);
  const { homeCenterId, identities } = membership.actor;
  if (homeCenterId === membership.centerId && identities.length === 0) return { kind: 'bind', membership };
  return { kind: 'connect', membership, matchedBy };
}

/** An invitation to the address, or to the person behind a known identity. */
export async function invitationFor(
  db: Tx,
  { centerId, address, person }: { centerId: number; address: string | null; person: Actor | null },
): Promise<Membership | undefined> {
  const addresses = [address, person?.email ?? null].filter((each) => each !== null);
  const [invited] = await db.membership.findMany({
    where: {
      centerId,
      status: 'INVITED',
      OR: [
        { invitedEmail: { in: addresses } },
        { actor: { email: { in: addresses } } },
        ...(person ? [{ actorId: person.id }] : []),
      ],
    },
    orderBy: [{ invitedAt: 'asc' }, { id: 'asc' }],
    take: 1,
  });
  if (!invited) return undefined;
  const namesOther = invited.actorId !== null && invited.actorId !== person?.id;
  if (namesOther || invited.partnerRole !== null) {
    throw new DomainError(
      'NO_MEMBERSHIP',
      'The invitation to this address is for an account; accept it with the mailed link, then connect the account.',
    );
  }
  return invited;
}
