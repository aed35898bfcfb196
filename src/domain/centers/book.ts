import { z } from 'zod';
import { isExclusionViolation } from '../../db/faults.ts';
import { A_PERSON, doc } from '../../lib/doc.ts';
import { DomainError, validationError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { plainText } from '../../lib/text.ts';
import { type Context, currentCenterId } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import { accessError } from '../principal.ts';
import { transact } from '../unit-of-work.ts';
import { instructorNotFound, lockInstructor } from './availability.ts';
import { requireBookingRights, wardIds } from './booking-rights.ts';
import { auditBooking, type BookingView, getBooking, withNames } from './bookings.ts';
import { currentZone, dayOf } from './calendar.ts';
import { isFurtherCenter, overlappingElsewhere } from './elsewhere.ts';
import { activeInstructors, notifyInstructor } from './instructors.ts';
import { localDate, type Slot } from './slots.ts';

export const bookInput = z.object({
  instructorId: z.guid().meta(doc('The id of the instructor, a UUID.', A_PERSON)),
  startsAt: z
    .date()
    .meta(doc('The start of a free slot, within the next two years.', '2026-11-16T09:00:00.000Z')),
  forActorId: z
    .guid()
    .nullish()
    .meta(doc('The id of the person to book for, a UUID. Default: the caller.', A_PERSON)),
  note: plainText(1_000)
    .nullish()
    .meta(doc('A note for the instructor, at most 1,000 characters.', 'First visit')),
});

export type BookInput = z.infer<typeof bookInput>;

export const confirmBookingInput = z.object({
  id: plainText(256).describe('The id of the booking, `bkg_…`.'),
});

const MOST_DAYS_AHEAD = 730;

/**
 * Books a free slot in the caller's center. Of concurrent callers for the same slot, the database accepts one. In an
 * instructor's first center the booking is confirmed immediately; in a further center it waits for the instructor. An overlap
 * with a booking in another center is invisible to both centers: the instructor is notified and decides.
 */
export async function book(ctx: Context, input: BookInput): Promise<BookingView> {
  await requireBookingRights(ctx);
  const bookedForId = await guestId(ctx, input.forActorId);
  const slot = await freeSlotAt(ctx, input);
  const centerId = currentCenterId(ctx);
  const { actorId, familyIds } = currentActor(ctx);
  const own = familyIds.includes(slot.instructorId);
  const waits = !own && (await isFurtherCenter(ctx, centerId, slot.instructorId));
  const data = {
    ...slot,
    id: newId('bkg'),
    centerId,
    bookedForId,
    bookedById: actorId,
    note: input.note ?? '',
    status: waits ? ('REQUESTED' as const) : ('BOOKED' as const),
    confirmedAt: own ? ctx.now : null,
    createdAt: ctx.now,
  };
  return insideCalendar(own, async () => {
    const booking = await transact.acrossTenants(ctx, async (work) => {
      // Without this lock, concurrent bookings of the same instructor would deadlock on insert.
      await lockInstructor(work, slot.instructorId);
      const clashes = await overlappingElsewhere(work.db, [data]);
      if (own && clashes.length > 0) throw takenElsewhere();
      const made = await work.db.booking.create({ data });
      auditBooking(work, made, waits ? 'requested' : 'booked');
      if (waits) await notifyInstructor(ctx, work, 'calendar_request', slot.instructorId);
      else if (clashes.length > 0) await notifyInstructor(ctx, work, 'calendar_clash', slot.instructorId);
      return made;
    });
    return (await withNames(ctx, [booking]))[0]!;
  });
}

/** The instructor confirms a pending booking. An overlap with a booking in another center is shown only to the instructor. */
export async function confirmBooking(ctx: Context, id: string): Promise<BookingView> {
  const booking = await getBooking(ctx, id);
  if (!currentActor(ctx).familyIds.includes(booking.instructorId)) {
    throw new DomainError('FORBIDDEN', 'Only the instructor can confirm this booking.');
  }
  if (booking.startsAt <= ctx.now)
    throw new DomainError(
      'CONFLICT',
      'The booked time has already begun, so the booking cannot be confirmed.',
    );
  return insideCalendar(true, async () => {
    const confirmed = await transact.acrossTenants(ctx, async (work) => {
      await lockInstructor(work, booking.instructorId);
      const row = await work.db.booking.findUniqueOrThrow({ where: { id } });
      if (row.status === 'CANCELLED')
        throw new DomainError('CONFLICT', 'The booking was canceled, so it cannot be confirmed.');
      if (row.status === 'BOOKED') return row;
      if ((await overlappingElsewhere(work.db, [row])).length > 0) throw takenElsewhere();
      auditBooking(work, row, 'confirmed');
      return work.db.booking.update({
        where: { id },
        data: { status: 'BOOKED', confirmedAt: ctx.now },
      });
    });
    return (await withNames(ctx, [confirmed]))[0]!;
  });
}

/** Names the overlap that the database found: in the center, or, only for the instructor, in another one. */
async function insideCalendar<T>(own: boolean, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isExclusionViolation(error)) throw error;
    throw own ? takenElsewhere() : taken();
  }
}

const taken = () => new DomainError('CONFLICT', 'The instructor is already booked at that time.');
const takenElsewhere = () => new DomainError('CONFLICT', 'You already have a booking at that time.');

/** A PARENT books for themself and the children linked to them by this center; staff books for any active member. */
async function guestId(ctx: Context, asked: string | null | undefined): Promise<string> {
  const { center } = currentActor(ctx);
  if (!center.open) throw accessError(center);
  const own = await ctx.db.membership.findUniqueOrThrow({ where: { id: center.membershipId } });
  const guest = asked ?? own.actorId!;
  if (center.role === 'PARENT' && !(await wardIds(ctx)).includes(guest)) {
    throw new DomainError('FORBIDDEN', 'You can book for yourself and for your children.');
  }
  const member = await ctx.db.membership.findFirst({ where: { actorId: guest, status: 'ACTIVE' } });
  if (!member) throw new DomainError('NOT_FOUND', 'forActorId: no active member of the center has this id.');
  return guest;
}

async function freeSlotAt(ctx: Context, { instructorId, startsAt }: BookInput): Promise<Slot> {
  const latest = ctx.now.getTime() + MOST_DAYS_AHEAD * 86_400_000;
  if (startsAt < ctx.now || startsAt.getTime() > latest) throw offGrid('must be within the next two years');
  const centerId = currentCenterId(ctx);
  const instructors = await activeInstructors(ctx, centerId, instructorId);
  if (instructors.length === 0) throw instructorNotFound();
  const zone = await currentZone(ctx);
  const { busy, free } = await dayOf(ctx, centerId, zone, localDate(startsAt, zone), instructors);
  const slot = free.find((each) => each.startsAt.getTime() === startsAt.getTime());
  if (slot) return slot;
  if (busy.some((each) => each.startsAt <= startsAt && startsAt < each.endsAt)) throw taken();
  throw offGrid('no free slot of the instructor begins then');
}

const offGrid = (message: string) => validationError([{ path: 'startsAt', message }]);
