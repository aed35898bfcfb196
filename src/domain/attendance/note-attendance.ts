import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import { type BookingView, getBooking } from '../centers/bookings.ts';
import type { Context } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import { recordAttendance } from './record.ts';

export const noteAttendanceInput = z.object({
  bookingId: plainText(256).describe('The id of the booking, `bkg_…`.'),
});

/** An ADMIN or the instructor confirms that the attendee of a booking was present. */
export async function noteAttendance(ctx: Context, bookingId: string): Promise<BookingView> {
  const booking = await getBooking(ctx, bookingId);
  const { center, familyIds } = currentActor(ctx);
  const isAdmin = center.open && center.role === 'ADMIN';
  // An instructor also sees bookings that a colleague holds.
  if (!isAdmin && !familyIds.includes(booking.instructorId)) {
    throw new DomainError('FORBIDDEN', 'Only the instructor of the booking can confirm the attendance.');
  }
  if (booking.status !== 'BOOKED') {
    throw new DomainError(
      'CONFLICT',
      'Attendance needs a confirmed booking; this one was canceled or still waits for the instructor.',
    );
  }
  if (booking.startsAt > ctx.now) {
    throw new DomainError('CONFLICT', 'Attendance can be confirmed only after the booked time has begun.');
  }
  const { createdAt } = await recordAttendance(ctx, {
    attendeeId: booking.bookedForId,
    sessionRef: booking.id,
    method: 'manual',
    occurredAt: booking.startsAt,
  });
  return { ...booking, attendedAt: createdAt };
}
