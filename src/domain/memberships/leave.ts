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
 * What ends when a membership is about to become another: bookings of whoever leaves or teaches no more, the guardianships
 * of a PARENT that is not an active one any more, or of a CHILD that is none any more, and the delegations of whoever is
 * not active any more. Answers what the audit entry shall say of it.
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

/** Cancels bookings that will not take place because a person left or the center ended. What has begun stays. */
export async function releaseBookings(tx: Tx, where: Prisma.BookingWhereInput, now: Date): Promise<void> {
  await tx.booking.updateMany({
    where: { AND: [where, { status: { not: 'CANCELLED' }, startsAt: { gt: now } }] },
    data: { status: 'CANCELLED', cancelledAt: now },
  });
}
