import type { Prisma, Tx } from '../../db/database.ts';
import type { ActorRole, MembershipStatus } from '../../db/generated/prisma/enums.ts';
import type { Context } from '../context.ts';
import type { Work } from '../unit-of-work.ts';
import { endDelegationsOf } from './delegations.ts';
import { endGuardianships } from './guardians.ts';

interface Standing {
  status: MembershipStatus;
  role: ActorRole;
}

/**
 * Ends what depends on a membership that is about to change: bookings of a person who leaves or no longer teaches,
 * guardianships of a PARENT who is no longer active or of a CHILD who no longer is one, and delegations of a member who is no
 * longer active. Returns the detail for the audit entry.
 */
export async function leaveActive(
  ctx: Context,
  work: Work,
  from: Standing & { id: string; centerId: number; actorId: string | null },
  to: Standing,
): Promise<{ guardianshipsEnded?: string[]; delegationsEnded?: string[] }> {
  const { now } = ctx;
  const { centerId, actorId } = from;
  if (actorId === null) return {};
  const delegationsEnded =
    from.status === 'ACTIVE' && to.status !== 'ACTIVE' ? await endDelegationsOf(ctx, work, from) : [];
  const delegations = delegationsEnded.length > 0 ? { delegationsEnded } : {};
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
  if (!wasGuardian || isGuardian) return delegations;
  const guardianshipsEnded = await endGuardianships(work, { centerId, guardianId: actorId });
  return { ...delegations, ...(guardianshipsEnded.length > 0 && { guardianshipsEnded }) };
}

/** Cancels bookings that cannot take place because a person left or the center ended. Bookings that have begun stay. */
export async function releaseBookings(tx: Tx, where: Prisma.BookingWhereInput, now: Date): Promise<void> {
  await tx.booking.updateMany({
    where: { AND: [where, { status: { not: 'CANCELLED' }, startsAt: { gt: now } }] },
    data: { status: 'CANCELLED', cancelledAt: now },
  });
}
