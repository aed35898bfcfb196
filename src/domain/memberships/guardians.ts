import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import { currentActor, familyMemberships, type MembershipView } from '../identity/me.ts';
import { transact, type Work } from '../unit-of-work.ts';

export const guardianshipInput = z.object({ guardianId: z.guid(), childId: z.guid() });
export type GuardianshipInput = z.infer<typeof guardianshipInput>;

const MOST_CHILDREN = 100;

export interface Child {
  actorId: string;
  name: string;
  memberships: MembershipView[];
}

/** Somebody is a guardian for as long as they are an active PARENT somewhere. */
const guardedBy = (familyIds: string[]) => ({
  guardianId: { in: familyIds },
  guardian: { memberships: { some: { role: 'PARENT' as const, status: 'ACTIVE' as const } } },
});

/** The ids of the children tied to the caller's family. */
export async function childIds(ctx: Context): Promise<string[]> {
  const ties = await ctx.app.db.acrossTenants.guardianship.findMany({
    where: guardedBy(currentActor(ctx).familyIds),
    orderBy: { createdAt: 'asc' },
    take: MOST_CHILDREN,
  });
  return [...new Set(ties.map((tie) => tie.childId))];
}

/** The caller's children with their memberships in every center; nobody but their guardians gets to see this. */
export async function listChildren(ctx: Context): Promise<Child[]> {
  const ids = await childIds(ctx);
  const children = await ctx.app.db.acrossTenants.actor.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  const memberships = await familyMemberships(ctx, ids);
  return children.map(({ id, name }) => ({
    actorId: id,
    name,
    memberships: memberships.filter((membership) => membership.actorId === id),
  }));
}

/** Ties a PARENT to a CHILD, both active members of the caller's center. Tying them again changes nothing. */
export async function tieGuardian(ctx: Context, input: GuardianshipInput): Promise<GuardianshipInput> {
  return changeTie(ctx, input, 'tie_guardian', async ({ db }) => {
    const { count } = await db.guardianship.createMany({ data: [input], skipDuplicates: true });
    return count;
  });
}

/** Undoes it; undoing it again changes nothing. */
export async function untieGuardian(ctx: Context, input: GuardianshipInput): Promise<GuardianshipInput> {
  return changeTie(ctx, input, 'untie_guardian', async ({ db }) => {
    const { count } = await db.guardianship.deleteMany({ where: input });
    return count;
  });
}

async function changeTie(
  ctx: Context,
  input: GuardianshipInput,
  move: string,
  change: (work: Work) => Promise<number>,
): Promise<GuardianshipInput> {
  const centerId = currentCenterId(ctx);
  return transact(
    ctx,
    async (work) => {
      const member = (actorId: string, role: 'PARENT' | 'CHILD') =>
        work.db.membership.findFirst({ where: { centerId, actorId, role, status: 'ACTIVE' } });
      const guardian = await member(input.guardianId, 'PARENT');
      const child = await member(input.childId, 'CHILD');
      if (!guardian) throw new DomainError('NOT_FOUND', 'There is no such active PARENT in the center.');
      if (!child) throw new DomainError('NOT_FOUND', 'There is no such active CHILD in the center.');
      if ((await change(work)) > 0) {
        const detail = { from: child.status, to: child.status, move, ...input };
        work.audit({ type: 'membership.moved', target: child.id, detail });
      }
      return input;
    },
    { acrossTenants: true }, // a tie holds in every center
  );
}
