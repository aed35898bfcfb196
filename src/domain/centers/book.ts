import { z } from 'zod';
import { isExclusionViolation } from '../../db/faults.ts';
import { DomainError, validationError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { plainText } from '../../lib/text.ts';
import { type Context, currentCenterId } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import { childIds } from '../memberships/guardians.ts';
import { transact } from '../unit-of-work.ts';
import { noSuchInstructor } from './availability.ts';
import { type BookingView, withNames } from './bookings.ts';
import { currentZone, dayOf } from './calendar.ts';
import { activeInstructors } from './instructors.ts';
import { localDate, type Slot } from './slots.ts';

export const bookInput = z.object({
  instructorId: z.guid(),
  startsAt: z.date(),
  forActorId: z.guid().nullish(),
  note: plainText(1_000).nullish(),
});

export type BookInput = z.infer<typeof bookInput>;

const MOST_DAYS_AHEAD = 730;

/** Books a free slot in the caller's center. Of several who want the same one, the database lets one through. */
export async function book(ctx: Context, input: BookInput): Promise<BookingView> {
  const bookedForId = await guestId(ctx, input.forActorId);
  const slot = await freeSlotAt(ctx, input);
  const data = {
    ...slot,
    id: newId('bkg'),
    centerId: currentCenterId(ctx),
    bookedForId,
    bookedById: currentActor(ctx).actorId,
    note: input.note ?? '',
    createdAt: ctx.now,
  };
  try {
    const booking = await transact(ctx, async ({ db }) => {
      // Queues those who book the same instructor: inserting side by side they would deadlock.
      await db.$queryRaw`SELECT id FROM actor WHERE id = ${slot.instructorId}::uuid FOR NO KEY UPDATE`;
      return db.booking.create({ data });
    });
    return (await withNames(ctx, [booking]))[0]!;
  } catch (error) {
    if (isExclusionViolation(error)) throw taken();
    throw error;
  }
}

const taken = () => new DomainError('CONFLICT', 'The instructor is taken at that time.');

/** A PARENT books for itself and its children, whoever runs the center for every active member. */
async function guestId(ctx: Context, asked: string | null | undefined): Promise<string> {
  const { familyIds, center } = currentActor(ctx);
  if (!center.open) throw new DomainError(center.code, center.message);
  const own = await ctx.db.membership.findUniqueOrThrow({ where: { id: center.membershipId } });
  const guest = asked ?? own.actorId!;
  if (center.role === 'PARENT' && ![...familyIds, ...(await childIds(ctx))].includes(guest)) {
    throw new DomainError('FORBIDDEN', 'You can book for yourself and for your children.');
  }
  const member = await ctx.db.membership.findFirst({ where: { actorId: guest, status: 'ACTIVE' } });
  if (!member) throw new DomainError('NOT_FOUND', 'There is no such active member in the center.');
  return guest;
}

async function freeSlotAt(ctx: Context, { instructorId, startsAt }: BookInput): Promise<Slot> {
  const latest = ctx.now.getTime() + MOST_DAYS_AHEAD * 86_400_000;
  if (startsAt < ctx.now || startsAt.getTime() > latest) throw offGrid('must lie in the next two years');
  const centerId = currentCenterId(ctx);
  const instructors = await activeInstructors(ctx, centerId, instructorId);
  if (instructors.length === 0) throw noSuchInstructor();
  const zone = await currentZone(ctx);
  const { busy, free } = await dayOf(ctx, centerId, zone, localDate(startsAt, zone), instructors);
  const slot = free.find((each) => each.startsAt.getTime() === startsAt.getTime());
  if (slot) return slot;
  if (busy.some((each) => each.startsAt <= startsAt && startsAt < each.endsAt)) throw taken();
  throw offGrid('no free slot of the instructor begins then');
}

const offGrid = (message: string) => validationError([{ path: 'startsAt', message }]);
