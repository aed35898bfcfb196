import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type Context, currentCenterId } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { isFurtherCenter } from './elsewhere.ts';
import { activeInstructors, notifyInstructor } from './instructors.ts';

const MINUTES_OF_DAY = 1_440;

const weeklyRule = z
  .object({
    weekday: z.int().min(1).max(7).describe('1 is Monday, 7 is Sunday.'),
    startMinute: z.int().min(0).max(MINUTES_OF_DAY).describe('The start, in minutes after midnight, from 0.'),
    endMinute: z
      .int()
      .min(0)
      .max(MINUTES_OF_DAY)
      .describe('The end, in minutes after midnight, at most 1440.'),
    slotMinutes: z
      .int()
      .min(5)
      .max(MINUTES_OF_DAY)
      .describe('The length of a bookable slot in minutes, at least 5.'),
  })
  .refine(({ startMinute, endMinute, slotMinutes }) => startMinute + slotMinutes <= endMinute, {
    message: 'must leave room for at least one slot between startMinute and endMinute',
  });

export type WeeklyRule = z.infer<typeof weeklyRule> & { requested: boolean };

export const setAvailabilityInput = z.object({
  instructorId: z.guid().describe('The id of the instructor, a UUID.'),
  rules: z
    .array(weeklyRule)
    .max(100)
    .refine(apart, 'must not overlap on the same weekday')
    .describe('All periods of the week. An empty list closes the week.'),
});

export const confirmAvailabilityInput = z.object({
  instructorId: z.guid().describe("The id of the instructor, a UUID; it must be the caller's."),
});

function apart(rules: z.infer<typeof weeklyRule>[]): boolean {
  const byDay = Map.groupBy(rules, (rule) => rule.weekday);
  return [...byDay.values()].every((day) => {
    const inOrder = day.toSorted((a, b) => a.startMinute - b.startMinute);
    return inOrder.every((rule, i) => i === 0 || inOrder[i - 1]!.endMinute <= rule.startMinute);
  });
}

const byTime = { orderBy: [{ weekday: 'asc' as const }, { startMinute: 'asc' as const }] };

/** An instructor's week in the caller's center: the hours in force, or those awaiting the instructor's confirmation. */
export async function readAvailability(
  ctx: Context,
  instructorId: string,
  requested = false,
): Promise<WeeklyRule[]> {
  return ctx.db.availabilityRule.findMany({ where: { instructorId, requested }, ...byTime });
}

/**
 * Replaces an instructor's week. An ADMIN can do it for anyone, an instructor for themself. Bookings stay. Hours set by an
 * ADMIN of a further center are a request: the hours in force stay until the instructor confirms. Closing the week needs no
 * confirmation.
 */
export async function setAvailability(
  ctx: Context,
  { instructorId, rules }: z.infer<typeof setAvailabilityInput>,
): Promise<WeeklyRule[]> {
  const { center, familyIds } = currentActor(ctx);
  const own = familyIds.includes(instructorId);
  if (!(center.open && center.role === 'ADMIN') && !own) {
    throw new DomainError('INSUFFICIENT_ROLE', 'Only an ADMIN may set the hours of another instructor.');
  }
  const centerId = currentCenterId(ctx);
  const [instructor] = await activeInstructors(ctx, centerId, instructorId);
  if (!instructor) throw instructorNotFound();
  const requested = !own && rules.length > 0 && (await isFurtherCenter(ctx, centerId, instructorId));
  return transact.acrossTenants(ctx, async (work) => {
    const { db } = work;
    await lockInstructor(work, instructorId);
    await db.availabilityRule.deleteMany({
      where: { centerId, instructorId, ...(requested && { requested }) },
    });
    await db.availabilityRule.createMany({
      data: rules.map((rule) => ({ ...rule, id: newId('avl'), instructorId, centerId, requested })),
    });
    auditHours(work, instructorId, requested ? 'requested' : 'set', rules.length);
    if (requested) await notifyInstructor(ctx, work, 'calendar_request', instructorId);
    return db.availabilityRule.findMany({ where: { centerId, instructorId, requested }, ...byTime });
  });
}

/** The instructor confirms the hours requested by a further center, which replace the hours in force. */
export async function confirmAvailability(
  ctx: Context,
  { instructorId }: z.infer<typeof confirmAvailabilityInput>,
): Promise<WeeklyRule[]> {
  if (!currentActor(ctx).familyIds.includes(instructorId)) {
    throw new DomainError('FORBIDDEN', 'Only the instructor can confirm their hours.');
  }
  const [instructor] = await activeInstructors(ctx, currentCenterId(ctx), instructorId);
  if (!instructor) throw instructorNotFound();
  return transact(ctx, async (work) => {
    const { db } = work;
    await lockInstructor(work, instructorId);
    const rules = await db.availabilityRule.findMany({ where: { instructorId, requested: true } });
    if (rules.length === 0) throw new DomainError('NOT_FOUND', 'No hours are waiting for confirmation.');
    await db.availabilityRule.deleteMany({ where: { instructorId } });
    await db.availabilityRule.createMany({
      data: rules.map((rule) => ({ ...rule, id: newId('avl'), requested: false })),
    });
    auditHours(work, instructorId, 'confirmed', rules.length);
    return db.availabilityRule.findMany({ where: { instructorId }, ...byTime });
  });
}

/** Serializes changes to one instructor's calendar, so that two weeks never mix. */
export async function lockInstructor({ db }: Work, instructorId: string): Promise<void> {
  await db.$queryRaw`SELECT id FROM actor WHERE id = ${instructorId}::uuid FOR NO KEY UPDATE`;
}

function auditHours(work: Work, instructorId: string, change: string, rules: number): void {
  work.audit({ type: 'center.updated', target: instructorId, detail: { change, kind: 'hours', rules } });
}

export const instructorNotFound = () => new DomainError('NOT_FOUND', 'Instructor not found.');
