// The directory of a center maintains its users here. It describes persons of the center and decides who is active; it never
// changes an account, and never reaches anyone of another center.
import { isDeepStrictEqual } from 'node:util';
import { isUniqueViolation } from '../../db/faults.ts';
import type { Actor, Membership } from '../../db/generated/prisma/client.ts';
import { newId } from '../../lib/ids.ts';
import { type Context, currentCenterId, ownRows } from '../context.ts';
import { createPersonOfCenter } from '../identities/create-person.ts';
import { describePerson } from '../identity/describe-person.ts';
import { endProviderSessions } from '../identity/end-provider-sessions.ts';
import { normalizeEmail } from '../identity/normalize.ts';
import { beginPolicyChange } from '../ledger/sealer/policy-order.ts';
import { moveTo } from '../memberships/change-status.ts';
import { lockCenter } from '../memberships/seats.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { primaryAddress } from './emails.ts';
import { notFound, notUnique, ScimError } from './errors.ts';
import { booleanOf, type Condition } from './filter.ts';
import type { Change } from './patch.ts';
import { takeSeatForUser } from './seat.ts';
import { changedUser, EMPTY_USER, shownNameOf, type UserDocument } from './user-document.ts';
import { countUsers, documentOf, nameKey, readUser, readUsers, type UserRow } from './user-rows.ts';
import { requireOwnNames } from './user-uniqueness.ts';

/** Throws unless the resource still has the version that the directory expects. */
export type CheckVersion<Row> = (row: Row) => void;

export async function findUser(ctx: Context, id: string): Promise<UserRow> {
  const row = await readUser(ownRows(ctx), currentCenterId(ctx), id);
  if (!row) throw notFound('User');
  return row;
}

export async function listUsers(
  ctx: Context,
  conditions: readonly Condition[],
  { startIndex, count }: { startIndex: number; count: number },
): Promise<{ total: number; rows: UserRow[] }> {
  const centerId = currentCenterId(ctx);
  const db = ownRows(ctx);
  const total = await countUsers(db, centerId, conditions);
  const page = { offset: startIndex - 1, limit: count };
  return { total, rows: count === 0 ? [] : await readUsers(db, centerId, conditions, page) };
}

/** Creates a person of the center, or brings back the one that this directory ended. */
export async function createUser(ctx: Context, changes: readonly Change[]): Promise<UserRow> {
  const centerId = currentCenterId(ctx);
  const user = changedUser(EMPTY_USER, changes);
  const isActive = user.active ?? true;
  return inOneChange(ctx, async (work) => {
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
    if (returning) await describe(work, returning, membership, user);
    await keep(ctx, work, centerId, membership.id, user);
    return (await readUser(work.db, centerId, membership.id))!;
  });
}

/** Replaces or changes what the directory says of a user. Without `active` the status stays as it is. */
export async function changeUser(
  ctx: Context,
  id: string,
  changes: readonly Change[],
  { replaces, check }: { replaces: boolean; check: CheckVersion<UserRow> },
): Promise<UserRow> {
  const centerId = currentCenterId(ctx);
  // A suspension ends delegations, whose order with the center's seals matters.
  const last = changes.findLast(({ target }) => target.attribute.name === 'active');
  const suspends = booleanOf(last?.value) === false;
  return inOneChange(ctx, async (work) => {
    const at = suspends ? await beginPolicyChange(work.db, centerId, ctx.now) : ctx.now;
    work.notBefore(at);
    await lockCenter(work.db, centerId);
    const row = await readUser(work.db, centerId, id);
    if (!row) throw notFound('User');
    check(row);
    const before = documentOf(row);
    const user = changedUser(replaces ? EMPTY_USER : before, changes);
    if (isDifferent(before, user)) {
      await requireOwnNames(work.db, centerId, user, { id, before });
      await keep(ctx, work, centerId, id, user);
      const person = await work.db.actor.findUniqueOrThrow({ where: { id: row.actorId } });
      await describe(work, person, { id, centerId, status: row.status }, user);
    }
    if (user.active !== null) await setActive(ctx, work, row, user.active, at);
    return (await readUser(work.db, centerId, id))!;
  });
}

/** Ends the membership. The user is found again by `externalId` only. */
export async function endUser(ctx: Context, id: string, check: CheckVersion<UserRow>): Promise<void> {
  const centerId = currentCenterId(ctx);
  await inOneChange(ctx, async (work) => {
    const at = await beginPolicyChange(work.db, centerId, ctx.now);
    work.notBefore(at);
    await lockCenter(work.db, centerId);
    const row = await readUser(work.db, centerId, id);
    if (!row) throw notFound('User');
    check(row);
    requireUnmarked(row);
    const membership = await work.db.membership.findUniqueOrThrow({ where: { id } });
    await moveTo(ctx, work, membership, {
      move: row.status === 'PENDING' ? 'reject' : 'end',
      at,
      isAdmin: true,
      byDirectory: true,
    });
  });
}

async function setActive(ctx: Context, work: Work, row: UserRow, active: boolean, at: Date): Promise<void> {
  const move = moveFor(row, active);
  if (move === null) return;
  const centerId = currentCenterId(ctx);
  if (move === 'suspend') requireUnmarked(row);
  else await takeSeatForUser(work.db, centerId);
  const membership = await work.db.membership.findUniqueOrThrow({ where: { id: row.id } });
  await moveTo(ctx, work, membership, { move, at, isAdmin: true, byDirectory: true });
  if (move !== 'suspend') return;
  await endProviderSessions(ctx, work, { centerId, actorId: row.actorId }, 'suspended by the directory');
}

/** Whom an ADMIN suspended, only an ADMIN reinstates. */
function moveFor({ status, suspendedByDirectory }: UserRow, active: boolean) {
  if (!active) return status === 'ACTIVE' ? 'suspend' : null;
  if (status === 'PENDING') return 'approve';
  return status === 'SUSPENDED' && suspendedByDirectory ? 'reinstate' : null;
}

/** A directory that lies must not lock a center out. */
function requireUnmarked({ emergencyAccess }: UserRow): void {
  if (!emergencyAccess) return;
  throw new ScimError(409, 'This ADMIN has emergency access; an ADMIN of the center must remove it first.');
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

async function keep(
  ctx: Context,
  { db }: Work,
  centerId: number,
  membershipId: string,
  { userName, externalId, displayName, name, emails }: UserDocument,
): Promise<void> {
  const data = {
    userName,
    userNameKey: nameKey(userName),
    externalId,
    displayName,
    name: { ...name },
    emails: emails.map((email) => ({ ...email })),
    email: primaryAddress(emails),
    updatedAt: ctx.now,
  };
  await db.scimUser.upsert({
    where: { membershipId },
    create: { ...data, membershipId, centerId, createdAt: ctx.now },
    update: data,
  });
}

const describe = (
  work: Work,
  person: Actor,
  membership: { id: string; centerId: number; status: string },
  user: UserDocument,
) =>
  describePerson(work, person, membership, {
    name: shownNameOf(user),
    contactEmail: primaryAddress(user.emails),
  });

const isDifferent = (before: UserDocument, after: UserDocument): boolean =>
  !isDeepStrictEqual({ ...before, active: null }, { ...after, active: null });

/** Runs a change. Concurrent ones are serialized; the unique indexes are the second line. */
async function inOneChange<T>(ctx: Context, work: (work: Work) => Promise<T>): Promise<T> {
  try {
    return await transact.acrossTenants(ctx, work);
  } catch (error) {
    if (isUniqueViolation(error)) throw notUnique('userName or externalId', 'belongs to another user');
    throw error;
  }
}
