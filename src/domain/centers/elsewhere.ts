import type { Db, Tx } from '../../db/database.ts';
import type { Booking } from '../../db/generated/prisma/client.ts';
import type { Context } from '../context.ts';

type Booked = Pick<Booking, 'id' | 'centerId' | 'instructorId' | 'startsAt' | 'endsAt'>;

/** The maximum number of one person's bookings that are compared. */
const MOST_COMPARED = 2_000;

/**
 * Whether the instructor already works in another center and joined it earlier. Hours and bookings of such a further center
 * wait for the instructor's confirmation, because the center cannot see when the instructor is busy elsewhere.
 */
export async function isFurtherCenter(
  { app }: Context,
  centerId: number,
  instructorId: string,
): Promise<boolean> {
  const memberships = await app.db.acrossTenants.membership.findMany({
    where: {
      actorId: instructorId,
      role: 'INSTRUCTOR',
      status: 'ACTIVE',
      center: { status: { not: 'INACTIVE' } },
    },
    select: { id: true, centerId: true, activatedAt: true, invitedAt: true },
  });
  const joined = (each: (typeof memberships)[number]) => (each.activatedAt ?? each.invitedAt).getTime();
  const [first] = memberships.toSorted((a, b) => joined(a) - joined(b) || (a.id < b.id ? -1 : 1));
  return first !== undefined && first.centerId !== centerId;
}

/** The bookings of other centers that overlap one of these for the same instructor. Only the instructor may see them. */
export async function overlappingElsewhere(db: Db | Tx, bookings: Booked[]): Promise<Booking[]> {
  if (bookings.length === 0) return [];
  const from = Math.min(...bookings.map(({ startsAt }) => startsAt.getTime()));
  const to = Math.max(...bookings.map(({ endsAt }) => endsAt.getTime()));
  const candidates = await db.booking.findMany({
    where: {
      instructorId: { in: [...new Set(bookings.map(({ instructorId }) => instructorId))] },
      status: 'BOOKED',
      startsAt: { lt: new Date(to) },
      endsAt: { gt: new Date(from) },
    },
    take: MOST_COMPARED,
  });
  return candidates.filter((other) => bookings.some((booking) => overlaps(booking, other)));
}

/** Whether two bookings of one instructor in different centers overlap. */
export const overlaps = (a: Booked, b: Booked): boolean =>
  a.instructorId === b.instructorId &&
  a.centerId !== b.centerId &&
  a.startsAt < b.endsAt &&
  b.startsAt < a.endsAt;
