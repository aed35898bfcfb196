// A user that the directory creates: a new person of the center, or one that it ended earlier.
import type { Actor } from '../../db/generated/prisma/client.ts';
import type { ActorRole } from '../../db/generated/prisma/enums.ts';
import { sql } from '../../db/sql.ts';
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
import type { UserRow } from './user-rows.ts';
import { requireOwnNames } from './user-uniqueness.ts';

/** Creates a person of the center, or brings back the one that this directory ended. */
export async function createUser(ctx: Context, changes: readonly Change[]): Promise<UserRow> {
  const centerId = currentCenterId(ctx);
  const user = changedUser(EMPTY_USER, changes);
  const isActive = user.active ?? true;
  return changeUsers(ctx, async (work) => {
    await lockCenter(work.db, centerId);
    await requireOwnNames(work.db, centerId, user, { id: null, before: null });
    const known = await readKnown(work, centerId, user);
    const returning = await findReturning(work, centerId, known.endedMembershipId);
    await withdrawInvitations(ctx, work, centerId, known.invitationIds, returning);
    if (isActive) await takeSeatForUser(work.db, centerId);
    const status = isActive ? 'ACTIVE' : 'SUSPENDED';
    const role = roleOf(known.defaultRole, returning);
    const id = returning
      ? await bringBack(ctx, work, { centerId, actorId: returning.id, role, status })
      : await createPerson(ctx, work, { centerId, user, role, status });
    work.audit({
      type: 'membership.moved',
      target: id,
      centerId,
      detail: { from: null, to: status, move: 'provision', role },
    });
    if (returning) await describeUser(work, returning, { id, centerId, status }, user);
    return keepUser(ctx, work, centerId, id, user);
  });
}

const KNOWN = sql('scim_user_known', {
  defaultRole: 'actor_role?',
  endedMembershipId: 'text?',
  invitationIds: 'text[]',
})`
  SELECT (SELECT default_role FROM identity_provider WHERE center_id = $centerId) AS "defaultRole",
    (SELECT membership_id FROM scim_user
      WHERE center_id = $centerId AND external_id = $externalId AND ended_at IS NOT NULL
      ORDER BY ended_at DESC, membership_id DESC LIMIT 1) AS "endedMembershipId",
    ARRAY(
      SELECT id FROM membership
      WHERE center_id = $centerId AND status = 'INVITED' AND invited_email = ANY ($addresses::text[])
      UNION
      SELECT m.id FROM actor a JOIN membership m ON m.actor_id = a.id
      WHERE a.email = ANY ($addresses::text[]) AND m.center_id = $centerId AND m.status = 'INVITED'
    ) AS "invitationIds"`;

/** What the center knows before a user is created: its default role, the newest ended user with this id, open invitations. */
async function readKnown({ db }: Work, centerId: number, { externalId, emails }: UserDocument) {
  const addresses = emails.map(({ value }) => normalizeEmail(value));
  const [known] = await KNOWN.rows(db, { centerId, externalId, addresses });
  return known!;
}

/** The person behind an ended user: one of the center, or an account that is linked here. */
async function findReturning({ db }: Work, centerId: number, endedId: string | null): Promise<Actor | null> {
  if (endedId === null) return null;
  const actor = await db.actor.findFirst({
    where: { memberships: { some: { id: endedId } } },
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
  ids: string[],
  returning: Actor | null,
): Promise<void> {
  if (ids.length === 0 && returning === null) return;
  const theirs = returning ? [{ actorId: returning.id }] : [];
  const invited = await work.db.membership.findMany({
    where: { centerId, status: 'INVITED', OR: [{ id: { in: ids } }, ...theirs] },
  });
  for (const membership of invited)
    await moveTo(ctx, work, membership, { move: 'reject', at: ctx.now, isAdmin: true, byDirectory: true });
}

/** Being a CHILD needs the consent of an account. */
function roleOf(defaultRole: ActorRole | null, returning: Actor | null): ActorRole {
  const role = defaultRole ?? 'PARENT';
  return role === 'CHILD' && returning?.homeCenterId === null ? 'PARENT' : role;
}

interface Placed {
  centerId: number;
  role: ActorRole;
  status: 'ACTIVE' | 'SUSPENDED';
}

async function createPerson(
  { now }: Context,
  work: Work,
  { centerId, user, role, status }: Placed & { user: UserDocument },
): Promise<string> {
  const { membershipId } = await createPersonOfCenter(
    work,
    { centerId, name: shownNameOf(user), contactEmail: primaryAddress(user.emails), role, now },
    { status, suspendedByDirectory: status === 'SUSPENDED' },
  );
  return membershipId;
}

/** A new membership of a person who left: the old one stays as history. */
async function bringBack(
  { now }: Context,
  work: Work,
  { centerId, actorId, role, status }: Placed & { actorId: string },
): Promise<string> {
  const { id } = await work.db.membership.create({
    data: {
      id: newId('mbr'),
      centerId,
      actorId,
      role,
      status,
      suspendedByDirectory: status === 'SUSPENDED',
      invitedAt: now,
      acceptedAt: now,
      activatedAt: status === 'ACTIVE' ? now : null,
      childConsentAt: role === 'CHILD' ? now : null,
    },
  });
  return id;
}
