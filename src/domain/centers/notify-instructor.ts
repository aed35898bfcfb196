import { type Context, currentCenterId } from '../context.ts';
import type { Work } from '../unit-of-work.ts';

/**
 * Tells an instructor by mail that a center asks for hours or bookings, or that a new booking overlaps one in another
 * center. The outbox spaces these mails out for each center, so booking and cancelling in a loop floods nobody.
 */
export async function notifyInstructor(
  ctx: Context,
  work: Work,
  kind: 'calendar_request' | 'calendar_clash',
  instructorId: string,
): Promise<void> {
  const centerId = currentCenterId(ctx);
  const instructor = await work.db.actor.findFirst({
    where: { id: instructorId },
    select: { email: true },
  });
  if (instructor?.email) work.mail({ kind, to: instructor.email, about: { centerId }, centerId });
}
