import { z } from 'zod';
import type { Prisma, Tx } from '../../db/database.ts';
import type { Membership } from '../../db/generated/prisma/client.ts';
import { type ActorRole, MembershipStatus } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { mailAddressOf } from '../email-domains/mail-address.ts';
import { endProviderSessions } from '../identity/end-provider-sessions.ts';
import { currentActor } from '../identity/me.ts';
import { requireOwnSession } from '../identity/reach.ts';
import { beginPolicyChange } from '../ledger/sealer/policy-order.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { acceptAs } from './accept-invitation.ts';
import { authorityOver, membershipNotFound } from './authority.ts';
import { endDelegationsOf } from './delegations.ts';
import { leaveGroups } from './group-changes.ts';
import { endGuardianships } from './guardians.ts';
import { invalidateLinks } from './invitation.ts';
import { lockCenter, requireNoAdmin, requireRemainingAdmin, takeSeat } from './seats.ts';
import {
  allowed,
  canTransition,
  type MembershipTransition,
  needsSeat,
  TRANSITIONS,
  transitionFor,
} from './transitions.ts';
import { type MemberRow, type MemberView, memberInclude, memberView } from './view.ts';

export const membershipRef = z.object({
  membershipId: plainText(256).describe('The id of the membership to change, `mbr_…`.'),
});
export const moveMembershipInput = membershipRef.extend({
  to: z.enum(MembershipStatus).describe('The status to change to, if its transition is allowed.'),
});

/** Performs a named transition. */
export function applyTransition(
  ctx: Context,
  membershipId: string,
  move: MembershipTransition,
): Promise<MemberView> {
  return change(ctx, membershipId, (from) => (allowed(from, move) ? move : null), TRANSITIONS[move].to);
}

/** Performs the transition that leads to the given status. */
export function moveMembership(
  ctx: Context,
  { membershipId, to }: z.infer<typeof moveMembershipInput>,
): Promise<MemberView> {
  return change(ctx, membershipId, (from) => transitionFor(from, to), to);
}

/** Withdraws an unanswered invitation. Its link stops working. */
export function withdrawInvitation(ctx: Context, membershipId: string): Promise<MemberView> {
  return change(ctx, membershipId, (from) => (from === 'INVITED' ? 'reject' : null), 'REJECTED');
}

async function change(
  ctx: Context,
  id: string,
  choose: (from: MembershipStatus) => MembershipTransition | null,
  to: MembershipStatus,
): Promise<MemberView> {
  return transact.acrossTenants(ctx, async (work) => {
    const known = await work.db.membership.findUnique({ where: { id }, include: memberInclude });
    if (!known) throw membershipNotFound();
    const authority = authorityOver(ctx, known);
    // Delegations end with it, and an ended membership leaves its groups: both are ordered with respect to the center's seals.
    const isLeaving = to === 'SUSPENDED' || to === 'ENDED';
    const at = isLeaving ? await beginPolicyChange(work.db, known.centerId, ctx.now) : ctx.now;
    work.notBefore(at);
    await lockCenter(work.db, known.centerId);
    const membership = await work.db.membership.findUniqueOrThrow({ where: { id } });
    const { status: from, role, centerId } = membership;
    const move = choose(from);
    if (!move) throw new DomainError('CONFLICT', `A membership cannot go from ${from} to ${to}.`);
    if (!canTransition(move, authority)) {
      throw new DomainError(
        'INSUFFICIENT_ROLE',
        move === 'accept'
          ? 'Only the invited person can accept this membership.'
          : `Only an ADMIN of the center can ${move} this membership.`,
      );
    }
    if (move === 'accept') {
      requireOwnSession(ctx);
      const { actorId, email } = currentActor(ctx);
      return acceptAs(ctx, work, id, { id: actorId, email });
    }
    if (authority.isPartner && needsSeat(move) && role === 'ADMIN') await requireNoAdmin(work.db, centerId);
    return memberView(await moveTo(ctx, work, membership, { move, at, isAdmin: authority.isCenterAdmin }));
  });
}

interface Move {
  move: Exclude<MembershipTransition, 'accept'>;
  /** The time of the change, from `beginPolicyChange` if the member is suspended or ends. */
  at: Date;
  /** Whether an administrator or the directory moves it, not the invited person. */
  isAdmin: boolean;
  /** Whether the directory of the center moves it. */
  byDirectory?: boolean;
}

/** Performs an allowed transition with everything that follows from it. Call it under `lockCenter`. */
export async function moveTo(
  ctx: Context,
  work: Work,
  membership: Membership,
  { move, at, isAdmin, byDirectory = false }: Move,
): Promise<MemberRow> {
  const { id, centerId, role, status: from } = membership;
  const { to } = TRANSITIONS[move];
  const isLeaving = to === 'SUSPENDED' || to === 'ENDED';
  if (needsSeat(move)) await takeSeat(work.db, centerId);
  if (from === 'ACTIVE' && role === 'ADMIN') await requireRemainingAdmin(work.db, membership);
  if (from === 'INVITED') await invalidateLinks(work, id);
  const consequences = {
    ...(await endDependents(ctx, work, membership, { status: to, role })),
    ...(isLeaving && (await endSeats(ctx, work, membership, to, at))),
  };
  if (to === 'ENDED' && membership.actorId !== null) {
    await endProviderSessions(ctx, work, { centerId, actorId: membership.actorId }, 'membership ended');
  }
  work.audit({
    type: 'membership.moved',
    target: id,
    centerId,
    detail: { from, to, move, ...consequences },
    // After a rejection the center still knows only the address, not the account.
    ...(from === 'INVITED' && !isAdmin && { actor: { id: null, email: membership.invitedEmail } }),
  });
  const moved = await work.db.membership.update({
    where: { id },
    data: {
      status: to,
      suspendedByDirectory: byDirectory && to === 'SUSPENDED',
      ...(move === 'approve' && { activatedAt: ctx.now }),
      ...(to === 'ENDED' && { endedAt: ctx.now }),
      ...(isLeaving && { emergencyAccess: false }),
    },
    include: memberInclude,
  });
  const address = move === 'approve' && moved.actor ? await mailAddressOf(work.db, moved.actor) : null;
  if (address) work.mail({ kind: 'membership_approved', to: address, centerId, about: { membershipId: id } });
  return moved;
}

interface MembershipState {
  status: MembershipStatus;
  role: ActorRole;
}

/** Ends the delegations of a member who is no longer active. One who leaves the center leaves its groups too. */
async function endSeats(
  ctx: Context,
  work: Work,
  { id, centerId }: { id: string; centerId: number },
  to: MembershipStatus,
  at: Date,
): Promise<{ delegationsEnded?: string[]; groupsLeft?: string[] }> {
  const delegationsEnded = await endDelegationsOf(ctx, work, { id, centerId }, at);
  const groupsLeft = to === 'ENDED' ? await leaveGroups(work, id) : [];
  return {
    ...(delegationsEnded.length > 0 && { delegationsEnded }),
    ...(groupsLeft.length > 0 && { groupsLeft }),
  };
}

/**
 * Ends what depends on a membership that is about to change: bookings of a person who leaves or no longer teaches, and
 * guardianships of a PARENT who is no longer active or of a CHILD who no longer is one. Returns the detail for the audit entry.
 */
export async function endDependents(
  ctx: Context,
  work: Work,
  from: MembershipState & { id: string; centerId: number; actorId: string | null },
  to: MembershipState,
): Promise<{ guardianshipsEnded?: string[] }> {
  const { now } = ctx;
  const { centerId, actorId } = from;
  if (actorId === null) return {};
  const ofInstructor = { centerId, instructorId: actorId };
  if (to.status === 'ENDED') {
    await releaseBookings(work.db, { OR: [ofInstructor, { centerId, bookedForId: actorId }] }, now);
  } else if (from.role === 'INSTRUCTOR' && to.role !== 'INSTRUCTOR') {
    await releaseBookings(work.db, ofInstructor, now);
  }
  if (from.role === 'CHILD' && to.role !== 'CHILD')
    await endGuardianships(work, { centerId, childId: actorId });
  const wasGuardian = from.status === 'ACTIVE' && from.role === 'PARENT';
  const isGuardian = to.status === 'ACTIVE' && to.role === 'PARENT';
  if (!wasGuardian || isGuardian) return {};
  const guardianshipsEnded = await endGuardianships(work, { centerId, guardianId: actorId });
  return guardianshipsEnded.length > 0 ? { guardianshipsEnded } : {};
}

/** Cancels bookings that cannot take place because a person left or the center ended. Bookings that have begun stay. */
export async function releaseBookings(tx: Tx, where: Prisma.BookingWhereInput, now: Date): Promise<void> {
  await tx.booking.updateMany({
    where: { AND: [where, { status: { not: 'CANCELLED' }, startsAt: { gt: now } }] },
    data: { status: 'CANCELLED', cancelledAt: now },
  });
}
