import type { Prisma } from '../../db/database.ts';
import { DomainError } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import { childIdsInCenter } from '../memberships/guardians.ts';
import { accessError } from '../principal.ts';
import { settingsOf } from './view.ts';

/** Which of the center's bookings the caller may see: all for an ADMIN, otherwise those they take part in. */
export async function visibleBookings(ctx: Context): Promise<Prisma.BookingWhereInput> {
  const { center, familyIds } = currentActor(ctx);
  const mine = { in: familyIds };
  switch (center.open && center.role) {
    case 'ADMIN':
      return {};
    case 'INSTRUCTOR':
      return { OR: [{ instructorId: mine }, { bookedById: mine }, { bookedForId: mine }] };
    case 'PARENT':
      // Excludes bookings for a child that they are no longer guardian of.
      return { bookedForId: { in: await wardIds(ctx) } };
    default:
      return { bookedForId: mine };
  }
}

/** The people that a PARENT acts for in the current center: themself and the children linked by this center. */
export async function wardIds(ctx: Context): Promise<string[]> {
  return [...currentActor(ctx).familyIds, ...(await childIdsInCenter(ctx))];
}

/**
 * Throws unless the caller may book and cancel in the current center. Staff may; a PARENT if the center allows it; a CHILD
 * never.
 */
export async function requireBookingRights(ctx: Context): Promise<void> {
  const { center } = currentActor(ctx);
  if (!center.open) throw accessError(center);
  if (center.role === 'ADMIN' || center.role === 'INSTRUCTOR') return;
  if (center.role !== 'PARENT') {
    throw new DomainError('INSUFFICIENT_ROLE', 'Your role does not allow booking.');
  }
  const row = await ctx.db.center.findUniqueOrThrow({ where: { id: currentCenterId(ctx) } });
  if (settingsOf(row)['guardianBooking'] === false) {
    throw new DomainError(
      'FORBIDDEN',
      'Guardians cannot book or cancel in this center. Ask the center to do it.',
    );
  }
}
