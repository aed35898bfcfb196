import { z } from 'zod';
import type { Booking } from '../../db/generated/prisma/client.ts';
import { BookingStatus } from '../../db/generated/prisma/enums.ts';
import { A_PERSON, doc } from '../../lib/doc.ts';
import { DomainError, requireFound } from '../../lib/errors.ts';
import { type CursorWindow, MOST_COUNTED, newestFirst } from '../../lib/paging.ts';
import { opaqueId } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { requireBookingRights, visibleBookings } from './booking-rights.ts';
import { overlappingElsewhere, overlaps } from './elsewhere.ts';

export type BookingView = Booking & {
  instructorName: string;
  bookedForName: string;
  /** Whether it overlaps a booking in another center. Only the instructor sees this. */
  clashes: boolean;
  /** When the attendance was confirmed. */
  attendedAt: Date | null;
};

export const bookingFilter = z.object({
  instructorId: z
    .guid()
    .nullish()
    .meta(doc('Only bookings with the instructor of this id, a UUID.', A_PERSON)),
  forActorId: z.guid().nullish().describe('Only bookings for the attendee of this id, a UUID.'),
  status: z.enum(BookingStatus).nullish().describe('Only bookings with this status.'),
  open: z.boolean().nullish().describe('If true, only bookings that are not canceled.'),
  from: z.date().nullish().describe('Only bookings that end after this time.'),
  to: z.date().nullish().describe('Only bookings that start before this time.'),
});

export const cancelBookingInput = z.object({
  id: opaqueId.meta(doc('The id of the booking, `bkg_…`.', 'bkg_01k9zq2m0000000000000000b1')),
});

/** The bookings of the caller's center that the caller may see, newest first. */
export async function listBookings(
  ctx: Context,
  filter: z.infer<typeof bookingFilter>,
  window: CursorWindow,
): Promise<BookingView[]> {
  const where = { AND: [await visibleBookings(ctx), matchingBookings(filter)] };
  return withNames(ctx, await ctx.db.booking.findMany(newestFirst(window, where)));
}

export async function countBookings(ctx: Context, filter: z.infer<typeof bookingFilter>): Promise<number> {
  return ctx.db.booking.count({
    where: { AND: [await visibleBookings(ctx), matchingBookings(filter)] },
    take: MOST_COUNTED,
  });
}

export const matchingBookings = (filter: z.infer<typeof bookingFilter>) => ({
  ...(filter.instructorId && { instructorId: filter.instructorId }),
  ...(filter.forActorId && { bookedForId: filter.forActorId }),
  ...(filter.status && { status: filter.status }),
  ...(filter.open && { NOT: { status: 'CANCELLED' as const } }),
  ...(filter.from && { endsAt: { gt: filter.from } }),
  ...(filter.to && { startsAt: { lt: filter.to } }),
});

export async function findBooking(ctx: Context, id: string): Promise<BookingView | null> {
  if (ctx.principal.kind !== 'actor' || !ctx.principal.center.open) return null;
  const row = await ctx.db.booking.findFirst({ where: { AND: [{ id }, await visibleBookings(ctx)] } });
  return row && (await withNames(ctx, [row]))[0]!;
}

/** A booking that the caller may see. */
export async function getBooking(ctx: Context, id: string): Promise<BookingView> {
  return requireFound(await findBooking(ctx, id), 'Booking not found.');
}

/** Cancels a booking, which frees the time again. Instructors also decline requests this way. Canceling again has no effect. */
export async function cancelBooking(ctx: Context, id: string): Promise<BookingView> {
  await requireBookingRights(ctx);
  const booking = await getBooking(ctx, id);
  if (booking.status === 'CANCELLED') return booking;
  if (booking.startsAt <= ctx.now)
    throw new DomainError(
      'CONFLICT',
      'The booked time has already begun, so the booking cannot be canceled.',
    );
  return transact(ctx, async (work) => {
    const data = { status: 'CANCELLED', cancelledAt: ctx.now } as const;
    const { count } = await work.db.booking.updateMany({
      where: { id, status: { not: 'CANCELLED' } },
      data,
    });
    if (count > 0) auditBooking(work, booking, 'cancelled');
    return { ...booking, clashes: false, ...(await work.db.booking.findUniqueOrThrow({ where: { id } })) };
  });
}

/** The center's audit log shows who booked, confirmed or canceled, but not the note or the guest. */
export function auditBooking(work: Work, { id, instructorId, startsAt }: Booking, change: string): void {
  const detail = { change, kind: 'booking', instructorId, startsAt: startsAt.toISOString() };
  work.audit({ type: 'center.updated', target: id, detail });
}

/** Everyone named in a booking is or was a member of the center, so the center-scoped client can read their names. */
export async function withNames(ctx: Context, bookings: Booking[]): Promise<BookingView[]> {
  const ids = bookings.flatMap(({ instructorId, bookedForId }) => [instructorId, bookedForId]);
  const people = await ctx.db.actor.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true, name: true },
  });
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const { familyIds } = currentActor(ctx);
  const own = bookings.filter(
    ({ instructorId, status }) => status !== 'CANCELLED' && familyIds.includes(instructorId),
  );
  const elsewhere = await overlappingElsewhere(ctx.app.db.acrossTenants, own);
  const attended = await attendanceTimes(ctx, bookings);
  return bookings.map((booking) => ({
    ...booking,
    instructorName: names.get(booking.instructorId) ?? '',
    bookedForName: names.get(booking.bookedForId) ?? '',
    clashes: own.includes(booking) && elsewhere.some((other) => overlaps(booking, other)),
    attendedAt: attended.get(`${booking.id} ${booking.bookedForId}`) ?? null,
  }));
}

/**
 * When attendances of these bookings were confirmed, by booking and attendee. An attendance stores its booking as the session.
 */
async function attendanceTimes(ctx: Context, bookings: Booking[]): Promise<Map<string, Date>> {
  const begun = bookings.filter(({ startsAt }) => startsAt <= ctx.now);
  if (begun.length === 0) return new Map();
  const rows = await ctx.db.attendance.findMany({
    where: {
      attendeeId: { in: [...new Set(begun.map(({ bookedForId }) => bookedForId))] },
      sessionRef: { in: begun.map(({ id }) => id) },
    },
    select: { attendeeId: true, sessionRef: true, createdAt: true },
  });
  return new Map(rows.map((row) => [`${row.sessionRef} ${row.attendeeId}`, row.createdAt]));
}
