// A user that the directory creates: a new person of the center, or one that it ended earlier.
import type { Actor, Membership } from '../../db/generated/prisma/client.ts';
import { newId } from '../../lib/ids.ts';
import { type Context, currentCenterId } from '../context.ts';
import { createPersonOfCenter } from '../identities/create-person.ts';
import { normalizeEmail } from '../identity/normalize.ts';
import { moveTo } from '../memberships/change-status.ts';
import { lockCenter } from '../memberships/seats.ts';
import type { Work } from '../unit-of-work.ts';
import { primaryAddress } from './emails.ts';
import { notUnique } from './errors.ts';
import { changeUsers, describeUser, keepUser } from './keep-user.ts';
import type { Change } from './patch.ts';
import { takeSeatForUser } from './seat.ts';
import { changedUser, EMPTY_USER, shownNameOf, type UserDocument } from './user-document.ts';
import { readUser, type UserRow } from './user-rows.ts';
import { requireOwnNames } from './user-uniqueness.ts';

/** Creates a person of the center, or brings back the one that this directory ended. */
export async function createUser(ctx: Context, changes: readonly Change[]): Promise<UserRow> {
  const centerId = currentCenterId(ctx);
  const user = changedUser(EMPTY_USER, changes);
  const isActive = user.active ?? true;
  return changeUsers(ctx, async (work) => {
    await lockCenter(work.db, centerId);
    await requireOwnNames(work.db, centerId, user, { id: null, before: null });
    const returning = await findReturning(work, centerId, user.externalId);
    await withdrawInvitations(ctx, work, centerId, user, returning);
    if (isActive) await takeSeatForUser(work.db, centerId);
    const membership = returning
      ? await bringBack(ctx, work, centerId, returning, isActive)
      : await createPerson(ctx, work, centerId, user, isActive);
    work.audit({
      type: 'membership.moved',
      target: membership.id,
      centerId,
      detail: { from: null, to: membership.status, move: 'provision', role: membership.role },
    });
    if (returning) await describeUser(work, returning, membership, user);
    await keepUser(ctx, work, centerId, membership.id, user);
    return (await readUser(work.db, centerId, membership.id))!;
  });
}

/** The person behind the newest ended user with this id: one of the center, or an account that is linked here. */
async function findReturning(
  { db }: Work,
  centerId: number,
  externalId: string | null,
): Promise<Actor | null> {
  if (externalId === null) return null;
  const ended = await db.scimUser.findFirst({
    where: { centerId, externalId, endedAt: { not: null } },
    orderBy: [{ endedAt: 'desc' }, { membershipId: 'desc' }],
  });
  // A query of its own, because most users have no earlier one.
  if (!ended) return null;
  const actor = await db.actor.findFirst({
    where: { memberships: { some: { id: ended.membershipId } } },
    include: { identities: { where: { centerId } } },
  });
  if (!actor || (actor.homeCenterId !== centerId && actor.identities.length === 0)) return null;
  const open = await db.membership.findFirst({
    where: { centerId, actorId: actor.id, status: { in: ['PENDING', 'ACTIVE', 'SUSPENDED'] } },
  });
  if (open) throw notUnique('externalId', 'belongs to a person who is a user again');
  return actor;
}

async function withdrawInvitations(
  ctx: Context,
  work: Work,
  centerId: number,
  { emails }: UserDocument,
  returning: Actor | null,
): Promise<void> {
  const addresses = emails.map(({ value }) => normalizeEmail(value));
  const invited = await work.db.membership.findMany({
    where: {
      centerId,
      status: 'INVITED',
      OR: [
        { invitedEmail: { in: addresses } },
        { actor: { email: { in: addresses } } },
        ...(returning ? [{ actorId: returning.id }] : []),
      ],
    },
  });
  for (const membership of invited)
    await moveTo(ctx, work, membership, { move: 'reject', at: ctx.now, isAdmin: true, byDirectory: true });
}

async function defaultRoleOf({ db }: Work, centerId: number) {
  const provider = await db.identityProvider.findUnique({ where: { centerId } });
  return provider?.defaultRole ?? 'PARENT';
}

async function createPerson(
  ctx: Context,
  work: Work,
  centerId: number,
  user: UserDocument,
  isActive: boolean,
): Promise<Membership> {
  const { membership } = await createPersonOfCenter(work, {
    centerId,
    name: shownNameOf(user),
    contactEmail: primaryAddress(user.emails),
    role: await defaultRoleOf(work, centerId),
    status: isActive ? 'ACTIVE' : 'SUSPENDED',
    now: ctx.now,
    childConsent: true,
  });
  if (isActive) return membership;
  return work.db.membership.update({ where: { id: membership.id }, data: { suspendedByDirectory: true } });
}

/** A new membership of a person who left: the old one stays as history. */
async function bringBack(
  ctx: Context,
  work: Work,
  centerId: number,
  actor: Actor,
  isActive: boolean,
): Promise<Membership> {
  const role = await defaultRoleOf(work, centerId);
  return work.db.membership.create({
    data: {
      id: newId('mbr'),
      centerId,
      actorId: actor.id,
      // Being a CHILD needs the consent of an account.
      role: role === 'CHILD' && actor.homeCenterId === null ? 'PARENT' : role,
      status: isActive ? 'ACTIVE' : 'SUSPENDED',
      suspendedByDirectory: !isActive,
      invitedAt: ctx.now,
      acceptedAt: ctx.now,
      activatedAt: isActive ? ctx.now : null,
      childConsentAt: role === 'CHILD' && actor.homeCenterId !== null ? ctx.now : null,
    },
  });
}
