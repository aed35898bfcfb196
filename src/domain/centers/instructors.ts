import { type Context, currentCenterId } from '../context.ts';
import { addresseeColumns, mailAddressOf } from '../email-domains/mail-address.ts';
import type { Work } from '../unit-of-work.ts';
import { enterCenter } from './find.ts';

const MOST_INSTRUCTORS = 1_000;

export interface Instructor {
  /** The actor's id. */
  id: string;
  name: string;
  role: 'INSTRUCTOR';
  specialties: string[];
}

/** The instructors and practitioners of a center, by name; for its members. */
export async function listInstructors(ctx: Context, domain: string): Promise<Instructor[]> {
  const { center } = await enterCenter(ctx, { domain });
  return activeInstructors(ctx, center.id);
}

/** The same, for callers that have checked access to the center. */
export async function activeInstructors(
  { app }: Context,
  centerId: number,
  instructorId?: string | null,
): Promise<Instructor[]> {
  const rows = await app.db.forCenter(centerId).membership.findMany({
    where: { role: 'INSTRUCTOR', status: 'ACTIVE', ...(instructorId && { actorId: instructorId }) },
    select: { specialties: true, actor: { select: { id: true, name: true } } },
    orderBy: [{ actor: { name: 'asc' } }, { id: 'asc' }],
    take: MOST_INSTRUCTORS,
  });
  return rows.map(({ actor, specialties }) => ({ ...actor!, role: 'INSTRUCTOR', specialties }));
}

/**
 * Notifies an instructor by mail that a center requests hours or bookings, or that a new booking overlaps one in another
 * center. The outbox limits these mails per center, so booking and canceling in a loop floods no one.
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
    select: addresseeColumns,
  });
  const to = instructor && (await mailAddressOf(work.db, instructor));
  if (to) work.mail({ kind, to, about: { centerId }, centerId });
}
