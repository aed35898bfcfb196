import type { Prisma, Tx } from '../../db/database.ts';

/** Cancels what was booked and will not take place: somebody left, or the center ended. What has begun stays. */
export async function releaseBookings(tx: Tx, where: Prisma.BookingWhereInput, now: Date): Promise<void> {
  await tx.booking.updateMany({
    where: { AND: [where, { status: { not: 'CANCELLED' }, startsAt: { gt: now } }] },
    data: { status: 'CANCELLED', cancelledAt: now },
  });
}
