import type { App } from '../app.ts';
import type { Actor, Center } from '../db/generated/prisma/client.ts';
import { setAvailability } from '../domain/centers/availability.ts';
import { book } from '../domain/centers/book.ts';
import { scheduleDays } from '../domain/centers/schedule.ts';
import { systemContext } from '../domain/context.ts';
import { tieGuardian } from '../domain/memberships/guardians.ts';
import { transact, type Work } from '../domain/unit-of-work.ts';
import { newId } from '../lib/ids.ts';
import { accounts } from './accounts.ts';
import type { DemoDomain } from './centers.ts';
import { memberContext } from './principals.ts';

const DAY_MS = 86_400_000;

type Actors = Map<string, Actor>;
type Centers = Map<DemoDomain, Center>;

/** Gives each person a membership. Existing memberships stay unchanged. */
export async function ensureMembers(app: App, actors: Actors, centers: Centers): Promise<void> {
  for (const [domain, center] of centers) {
    const wanted = accounts.flatMap(({ email, memberships = [], specialties = [], sinceDays = 0 }) =>
      memberships
        .filter((membership) => membership.center === domain)
        .map((membership) => ({ ...membership, actorId: actors.get(email)!.id, specialties, sinceDays })),
    );
    const known = await app.db.forCenter(center.id).membership.findMany({ select: { actorId: true } });
    const missing = wanted.filter(({ actorId }) => !known.some((member) => member.actorId === actorId));
    if (missing.length > 0) {
      const ctx = systemContext(app, 'seed', center.id);
      await transact(ctx, (work) => addMembers(work, center.id, missing, ctx.now));
    }
  }
}

type Wanted = { actorId: string; specialties: string[]; sinceDays: number } & NonNullable<
  (typeof accounts)[number]['memberships']
>[number];

async function addMembers(
  { db, audit }: Work,
  centerId: number,
  members: Wanted[],
  now: Date,
): Promise<void> {
  for (const { actorId, role, status, specialties, sinceDays } of members) {
    const id = newId('mbr');
    const since = new Date(now.getTime() - sinceDays * DAY_MS);
    await db.membership.create({
      data: {
        id,
        centerId,
        actorId,
        role,
        status,
        specialties,
        invitedAt: since,
        acceptedAt: since,
        activatedAt: status === 'PENDING' ? null : since,
        endedAt: status === 'ENDED' ? now : null,
        childConsentAt: role === 'CHILD' ? since : null,
      },
    });
    audit({ type: 'membership.moved', target: id, detail: { from: null, to: status, role } });
  }
}

const WORKDAYS = [1, 2, 3, 4, 5];
const hour = (of: number) => of * 60;

/** The instructor's weekly hours, unless there are some already. */
export async function ensureAvailability(app: App, actors: Actors, rehab: Center): Promise<void> {
  const instructor = actors.get('instructor@demo.test')!;
  const ctx = await memberContext(app, instructor, rehab.id);
  if (!ctx) return;
  const known = await ctx.db.availabilityRule.count({ where: { instructorId: instructor.id } });
  if (known > 0) return;
  const rules = WORKDAYS.flatMap((weekday) => [
    { weekday, startMinute: hour(9), endMinute: hour(12), slotMinutes: 60 },
    { weekday, startMinute: hour(13), endMinute: hour(17), slotMinutes: 60 },
  ]);
  await setAvailability(ctx, { instructorId: instructor.id, rules });
}

/** Links the parent to the child, unless the parent already has one. */
export async function ensureGuardianship(app: App, actors: Actors, rehab: Center): Promise<void> {
  const guardianId = actors.get('parent@demo.test')!.id;
  const childId = actors.get('child@demo.test')!.id;
  if ((await app.db.acrossTenants.guardianship.count({ where: { guardianId } })) > 0) return;
  const both = await app.db.forCenter(rehab.id).membership.count({
    where: { actorId: { in: [guardianId, childId] }, status: 'ACTIVE' },
  });
  if (both === 2) await tieGuardian(systemContext(app, 'seed', rehab.id), { guardianId, childId });
}

/** The topic of each booked session, all within the instructor's specialties. */
const SESSIONS = ['Fine motor skills', 'Sensory play', 'Review of the therapy plan'];
/** The slot of a day that starts at 15:00, after school. */
const AFTERNOON = 5;

/** Sessions of the child every other working day, unless the center has bookings already. */
export async function ensureBookings(app: App, actors: Actors, rehab: Center): Promise<void> {
  const instructor = actors.get('instructor@demo.test')!;
  const child = actors.get('child@demo.test')!;
  const ctx = await memberContext(app, instructor, rehab.id);
  if (!ctx || (await ctx.db.booking.count()) > 0) return;
  if ((await ctx.db.membership.count({ where: { actorId: child.id, status: 'ACTIVE' } })) === 0) return;
  const from = new Date(ctx.now.getTime() + DAY_MS).toISOString().slice(0, 10);
  const days = await scheduleDays(ctx, { from, days: 7, instructorId: instructor.id });
  const slots = days.flatMap(({ freeSlots }) => freeSlots.slice(AFTERNOON, AFTERNOON + 1));
  for (const [session, note] of SESSIONS.entries()) {
    const slot = slots[session * 2];
    if (slot) await book(ctx, { ...slot, forActorId: child.id, note });
  }
}
