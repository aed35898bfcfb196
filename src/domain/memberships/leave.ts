import type { ActorRole, MembershipStatus } from '../../db/generated/prisma/enums.ts';
import { releaseBookings } from '../centers/release.ts';
import type { Context } from '../context.ts';
import type { Work } from '../unit-of-work.ts';
import { endGuardianships } from './guardians.ts';

interface Standing {
  status: MembershipStatus;
  role: ActorRole;
}

/**
 * What ends when a membership is about to become another: bookings of whoever leaves or teaches no more, and the
 * guardianships of a PARENT that is not an active one any more. Answers what the audit entry shall say of it.
 */
export async function leaveActive(
  { now }: Context,
  work: Work,
  from: Standing & { centerId: number; actorId: string | null },
  to: Standing,
): Promise<{ guardianshipsEnded?: string[] }> {
  const { centerId, actorId } = from;
  if (actorId === null) return {};
  const ofInstructor = { centerId, instructorId: actorId };
  if (to.status === 'ENDED') {
    await releaseBookings(work.db, { OR: [ofInstructor, { centerId, bookedForId: actorId }] }, now);
  } else if (from.role === 'INSTRUCTOR' && to.role !== 'INSTRUCTOR') {
    await releaseBookings(work.db, ofInstructor, now);
  }
  const wasGuardian = from.status === 'ACTIVE' && from.role === 'PARENT';
  const isGuardian = to.status === 'ACTIVE' && to.role === 'PARENT';
  if (!wasGuardian || isGuardian) return {};
  const guardianshipsEnded = await endGuardianships(work, { centerId, guardianId: actorId });
  return guardianshipsEnded.length > 0 ? { guardianshipsEnded } : {};
}
