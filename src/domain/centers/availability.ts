import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type Context, currentCenterId } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import { transact } from '../unit-of-work.ts';
import { activeInstructors } from './instructors.ts';

const MINUTES_OF_DAY = 1_440;

const weeklyRule = z
  .object({
    weekday: z.int().min(1).max(7),
    startMinute: z.int().min(0).max(MINUTES_OF_DAY),
    endMinute: z.int().min(0).max(MINUTES_OF_DAY),
    slotMinutes: z.int().min(5).max(MINUTES_OF_DAY),
  })
  .refine(({ startMinute, endMinute, slotMinutes }) => startMinute + slotMinutes <= endMinute, {
    message: 'must leave room for at least one slot between startMinute and endMinute',
  });

export type WeeklyRule = z.infer<typeof weeklyRule>;

export const setAvailabilityInput = z.object({
  instructorId: z.guid(),
  rules: z.array(weeklyRule).max(100).refine(apart, 'must not overlap on the same weekday'),
});

function apart(rules: WeeklyRule[]): boolean {
  const byDay = Map.groupBy(rules, (rule) => rule.weekday);
  return [...byDay.values()].every((day) => {
    const inOrder = day.toSorted((a, b) => a.startMinute - b.startMinute);
    return inOrder.every((rule, i) => i === 0 || inOrder[i - 1]!.endMinute <= rule.startMinute);
  });
}

/** When an instructor of the caller's center works in a week. */
export async function readAvailability(ctx: Context, instructorId: string): Promise<WeeklyRule[]> {
  return ctx.db.availabilityRule.findMany({
    where: { instructorId },
    orderBy: [{ weekday: 'asc' }, { startMinute: 'asc' }],
  });
}

/** Replaces an instructor's week: an ADMIN does it for everybody, an instructor for itself. Bookings stay. */
export async function setAvailability(
  ctx: Context,
  { instructorId, rules }: z.infer<typeof setAvailabilityInput>,
): Promise<WeeklyRule[]> {
  const { center, familyIds } = currentActor(ctx);
  if (!(center.open && center.role === 'ADMIN') && !familyIds.includes(instructorId)) {
    throw new DomainError('INSUFFICIENT_ROLE', 'Only an ADMIN may set the times of somebody else.');
  }
  const [instructor] = await activeInstructors(ctx, currentCenterId(ctx), instructorId);
  if (!instructor) throw noSuchInstructor();
  return transact(ctx, async ({ db }) => {
    // One after the other, so that two weeks never mix.
    await db.$queryRaw`SELECT id FROM actor WHERE id = ${instructorId}::uuid FOR NO KEY UPDATE`;
    await db.availabilityRule.deleteMany({ where: { instructorId } });
    await db.availabilityRule.createMany({
      data: rules.map((rule) => ({
        ...rule,
        id: newId('avl'),
        instructorId,
        centerId: currentCenterId(ctx),
      })),
    });
    return db.availabilityRule.findMany({
      where: { instructorId },
      orderBy: [{ weekday: 'asc' }, { startMinute: 'asc' }],
    });
  });
}

export const noSuchInstructor = () => new DomainError('NOT_FOUND', 'There is no such instructor.');
