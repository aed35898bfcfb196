import { z } from 'zod';
import { A_PERSON, doc } from '../../lib/doc.ts';
import { type Context, currentCenterId } from '../context.ts';
import { requireFeatureIn } from './center-features.ts';
import { enterCenter } from './find.ts';
import { activeInstructors, type Instructor } from './instructors.ts';
import { timeZoneOf } from './settings.ts';
import { availableSlots, dayBounds, localDate, type Slot } from './slots.ts';
import { settingsOf } from './view.ts';

export const freeSlotsInput = z.object({
  // Years with more than four digits are not supported.
  date: z.iso
    .date()
    .refine((date) => date < '9999', 'must be before the year 9999')
    .nullish()
    .meta(doc("The day in the center's time zone. Default: today.", '2026-11-16')),
  instructorId: z.guid().nullish().meta(doc('Only slots of the instructor with this id, a UUID.', A_PERSON)),
});

export type FreeSlotsInput = z.infer<typeof freeSlotsInput>;

export interface FreeSlot extends Slot {
  instructorName: string;
}

/** What can still be booked on a day of the center's calendar, for its members. */
export async function freeSlots(ctx: Context, domain: string, input: FreeSlotsInput): Promise<FreeSlot[]> {
  const { center } = await enterCenter(ctx, { domain });
  await requireFeatureIn(ctx, center.id, 'booking');
  const zone = timeZoneOf(settingsOf(center));
  const instructors = await activeInstructors(ctx, center.id, input.instructorId);
  const names = new Map(instructors.map(({ id, name }) => [id, name]));
  const { free } = await dayOf(ctx, center.id, zone, input.date ?? localDate(ctx.now, zone), instructors);
  return free.map((slot) => ({ ...slot, instructorName: names.get(slot.instructorId)! }));
}

/** The time zone of the caller's current center. */
export async function currentZone(ctx: Context): Promise<string> {
  const center = await ctx.db.center.findUniqueOrThrow({ where: { id: currentCenterId(ctx) } });
  return timeZoneOf(settingsOf(center));
}

/**
 * A day of some instructors in one center: their bookings there and the remaining slots. Bookings in other centers are not
 * visible, neither as a gap nor as a refusal.
 */
export async function dayOf(
  { app, now }: Context,
  centerId: number,
  zone: string,
  date: string,
  instructors: Pick<Instructor, 'id'>[],
): Promise<{ busy: Slot[]; free: Slot[] }> {
  const instructorId = { in: instructors.map(({ id }) => id) };
  const { from, to } = dayBounds(date, zone);
  if (to <= now) return { busy: [], free: [] };
  const db = app.db.forCenter(centerId);
  const rules = await db.availabilityRule.findMany({ where: { instructorId, requested: false } });
  const busy = await db.booking.findMany({
    where: { instructorId, status: { not: 'CANCELLED' }, startsAt: { lt: to }, endsAt: { gt: from } },
    select: { instructorId: true, startsAt: true, endsAt: true },
  });
  return { busy, free: availableSlots({ date, zone, rules, busy, now }) };
}
