import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import { currentActor, type MembershipView, membershipsOf } from '../identity/me.ts';
import { transact, type Work } from '../unit-of-work.ts';

export const guardianshipInput = z.object({ guardianId: z.guid(), childId: z.guid() });
export const untieGuardianInput = guardianshipInput.extend({ centerId: z.int().nullish() });
export type GuardianshipInput = z.infer<typeof guardianshipInput>;

const MOST_CHILDREN = 100;

export interface Child {
  actorId: string;
  name: string;
  memberships: MembershipView[];
}

/** The ids of the children tied to the caller's family, by centers in which the guardian is an active PARENT. */
export async function childIds(ctx: Context): Promise<string[]> {
  const ties = await ctx.app.db.acrossTenants.$queryRaw<{ childId: string }[]>`
    SELECT g.child_id AS "childId" FROM guardianship g
    JOIN membership m ON m.center_id = g.center_id AND m.actor_id = g.guardian_id
    WHERE g.guardian_id = ANY (${currentActor(ctx).familyIds}::uuid[]) AND m.role = 'PARENT' AND m.status = 'ACTIVE'
    ORDER BY g.created_at LIMIT ${MOST_CHILDREN}`;
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
  const memberships = await membershipsOf(ctx, ids);
  return children.map(({ id, name }) => ({
    actorId: id,
    name,
    memberships: memberships.filter((membership) => membership.actorId === id),
  }));
}

/**
 * Ties a PARENT to a CHILD, both active members of the caller's center. Tying them again changes nothing. The tie is
 * this center's: others neither see nor undo it, and it lasts no longer than the PARENT's active membership here.
 */
export async function tieGuardian(ctx: Context, input: GuardianshipInput): Promise<GuardianshipInput> {
  const centerId = currentCenterId(ctx);
  return transact(
    ctx,
    async (work) => {
      // What is true now must still be true when the tie is there: a suspension waits or comes first.
      const guardian = await lockMember(work, centerId, input.guardianId, 'PARENT');
      const child = await lockMember(work, centerId, input.childId, 'CHILD');
      if (!guardian) throw new DomainError('NOT_FOUND', 'There is no such active PARENT in the center.');
      if (!child) throw new DomainError('NOT_FOUND', 'There is no such active CHILD in the center.');
      const { count } = await work.db.guardianship.createMany({
        data: [{ ...input, centerId }],
        skipDuplicates: true,
      });
      if (count > 0) auditTie(work, centerId, { ...child, status: 'ACTIVE' }, 'tie_guardian', input);
      return input;
    },
    { acrossTenants: true }, // a tie shows the child's memberships in every center
  );
}

/** Undoes what this center has tied. A platform admin undoes the tie of any center. */
export async function untieGuardian(
  ctx: Context,
  { centerId: asked, ...input }: z.infer<typeof untieGuardianInput>,
): Promise<GuardianshipInput> {
  const { principal } = ctx;
  const anyCenter = principal.kind === 'actor' && principal.platformAdmin;
  const centerId = anyCenter ? asked : currentCenterId(ctx);
  return transact(
    ctx,
    async (work) => {
      const ties = await work.db.guardianship.findMany({
        where: { ...input, ...(centerId != null && { centerId }) },
      });
      if (ties.length === 0) throw new DomainError('NOT_FOUND', 'There is no such tie of this center.');
      for (const tie of ties) {
        const { count } = await work.db.guardianship.deleteMany({ where: tie });
        const child = await work.db.membership.findFirst({
          where: { centerId: tie.centerId, actorId: input.childId },
          orderBy: { id: 'desc' },
        });
        if (count > 0 && child) auditTie(work, tie.centerId, child, 'untie_guardian', input);
      }
      return input;
    },
    { acrossTenants: true }, // platform admins belong to no center
  );
}

/** The ties of somebody who is no longer an active PARENT of the center are gone for good. */
export async function endGuardianships(
  { db }: Work,
  where: { centerId: number; guardianId?: string },
): Promise<string[]> {
  const ties = await db.guardianship.findMany({ where });
  await db.guardianship.deleteMany({ where });
  return ties.map((tie) => tie.childId);
}

async function lockMember({ db }: Work, centerId: number, actorId: string, role: 'PARENT' | 'CHILD') {
  const [member] = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM membership
    WHERE center_id = ${centerId} AND actor_id = ${actorId}::uuid AND role = ${role}::actor_role
      AND status = 'ACTIVE'
    FOR SHARE`;
  return member;
}

function auditTie(
  work: Work,
  centerId: number,
  child: { id: string; status: string },
  move: string,
  input: GuardianshipInput,
) {
  const detail = { from: child.status, to: child.status, move, ...input };
  work.audit({ type: 'membership.moved', target: child.id, centerId, detail });
}
