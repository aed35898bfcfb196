import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import type { ListPage } from '../../lib/paging.ts';
import { type Context, currentCenterId } from '../context.ts';
import { mailAddressOf } from '../email-domains/mail-address.ts';
import { currentActor, type MembershipView, membershipsOf } from '../identity/me.ts';
import { transact, type Work } from '../unit-of-work.ts';

export const guardianshipInput = z.object({
  guardianId: z.guid().describe('The id of the PARENT, a UUID.'),
  childId: z.guid().describe('The id of the CHILD, a UUID.'),
});
export const untieGuardianInput = guardianshipInput.extend({
  centerId: z
    .int()
    .nullish()
    .describe('For platform admins: the center whose guardianship ends. Default: all centers.'),
});
export type GuardianshipInput = z.infer<typeof guardianshipInput>;

const MOST_CHILDREN = 100;

export interface Child {
  actorId: string;
  name: string;
  memberships: MembershipView[];
}

/** The ids of the children linked to the caller's family by centers in which the guardian is an active PARENT. */
async function childIds(ctx: Context): Promise<string[]> {
  const { familyIds, onlyCenterId } = currentActor(ctx);
  const ties = await ctx.app.db.acrossTenants.$queryRaw<{ childId: string }[]>`
    SELECT g.child_id AS "childId" FROM guardianship g
    JOIN membership m ON m.center_id = g.center_id AND m.actor_id = g.guardian_id
    WHERE g.guardian_id = ANY (${familyIds}::uuid[]) AND m.role = 'PARENT' AND m.status = 'ACTIVE'
      AND g.center_id = coalesce(${onlyCenterId}::int, g.center_id)
    ORDER BY g.created_at LIMIT ${MOST_CHILDREN}`;
  return [...new Set(ties.map((tie) => tie.childId))];
}

/**
 * The ids of the active children that the current center itself linked to the caller's family. A link made by another center
 * shows the child's memberships, but gives no rights in this one.
 */
export async function childIdsInCenter(ctx: Context): Promise<string[]> {
  const ties = await ctx.app.db.acrossTenants.$queryRaw<{ childId: string }[]>`
    SELECT DISTINCT g.child_id AS "childId" FROM guardianship g
    JOIN membership p ON p.center_id = g.center_id AND p.actor_id = g.guardian_id
      AND p.role = 'PARENT' AND p.status = 'ACTIVE'
    JOIN membership c ON c.center_id = g.center_id AND c.actor_id = g.child_id
      AND c.role = 'CHILD' AND c.status = 'ACTIVE'
    WHERE g.center_id = ${currentCenterId(ctx)} AND g.guardian_id = ANY (${currentActor(ctx).familyIds}::uuid[])
    LIMIT ${MOST_CHILDREN}`;
  return ties.map((tie) => tie.childId);
}

/** The caller's children with their memberships in every center. Only their guardians see this. */
export async function listChildren(ctx: Context): Promise<Child[]> {
  const ids = await childIds(ctx);
  const children = await ctx.app.db.acrossTenants.actor.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  const memberships = await membershipsOf(ctx, ids, { onlyCenterId: currentActor(ctx).onlyCenterId });
  return children.map(({ id, name }) => ({
    actorId: id,
    name,
    memberships: memberships.filter((membership) => membership.actorId === id),
  }));
}

/**
 * Links a PARENT to a CHILD, both active members of the caller's center; the CHILD must have consented to be one here. Linking
 * them again has no effect. The link belongs to this center, lasts no longer than the PARENT's active membership here, and the
 * CHILD is notified by mail.
 */
export async function tieGuardian(ctx: Context, input: GuardianshipInput): Promise<GuardianshipInput> {
  const centerId = currentCenterId(ctx);
  return transact.acrossTenants(ctx, async (work) => {
    // Locks both memberships, so that a concurrent suspension waits or comes first.
    const guardian = await lockMember(work, centerId, input.guardianId, 'PARENT');
    const child = await lockMember(work, centerId, input.childId, 'CHILD');
    if (!guardian) throw new DomainError('NOT_FOUND', 'No active PARENT with this id in the center.');
    if (!child) throw new DomainError('NOT_FOUND', 'No active CHILD with this id in the center.');
    const { count } = await work.db.guardianship.createMany({
      data: [{ ...input, centerId }],
      skipDuplicates: true,
    });
    if (count === 0) return input;
    auditTie(work, centerId, { ...child, status: 'ACTIVE' }, 'tie_guardian', input);
    const person = await work.db.actor.findUniqueOrThrow({ where: { id: input.childId } });
    const to = await mailAddressOf(work.db, person);
    // The service itself links only people of the demo data.
    if (to && ctx.principal.kind === 'actor')
      work.mail({ kind: 'guardian_tied', to, about: { ...input, tiedBy: centerId } });
    return input;
  });
}

/** Removes a link that this center made. A platform admin can remove the link of any center. */
export async function untieGuardian(
  ctx: Context,
  { centerId: asked, ...input }: z.infer<typeof untieGuardianInput>,
): Promise<GuardianshipInput> {
  const { principal } = ctx;
  const anyCenter = principal.kind === 'actor' && principal.platformAdmin;
  const centerId = anyCenter ? asked : currentCenterId(ctx);
  return transact.acrossTenants(ctx, async (work) => {
    const ties = await work.db.guardianship.findMany({
      where: { ...input, ...(centerId != null && { centerId }) },
    });
    if (ties.length === 0) throw new DomainError('NOT_FOUND', 'Guardianship of this center not found.');
    for (const tie of ties) {
      const { count } = await work.db.guardianship.deleteMany({ where: tie });
      const child = await memberIn(work, tie.centerId, input.childId);
      if (count > 0 && child) auditTie(work, tie.centerId, child, 'untie_guardian', input);
    }
    return input;
  });
}

/**
 * Ends a guardianship regardless of the center that linked it. For the person under guardianship, and for an ADMIN of a center
 * in which that person is an active member: a center that links a person to a stranger must not have the final say.
 */
export async function endGuardianship(ctx: Context, input: GuardianshipInput): Promise<GuardianshipInput> {
  const caller = currentActor(ctx);
  const isSelf = caller.actorId === input.childId;
  const ownCenter = !isSelf && caller.center.open && caller.center.role === 'ADMIN' ? caller.center : null;
  return transact.acrossTenants(ctx, async (work) => {
    const mayEnd =
      isSelf || (ownCenter !== null && (await isMember(work, ownCenter.centerId, input.childId)));
    const ties = mayEnd ? await work.db.guardianship.findMany({ where: input }) : [];
    if (ties.length === 0) throw new DomainError('NOT_FOUND', 'Guardianship not found.');
    await work.db.guardianship.deleteMany({ where: input });
    for (const { centerId } of ties) {
      const child = await memberIn(work, centerId, input.childId);
      // The center that linked them learns that it ended, but not who else knows the person.
      const actor = isSelf || centerId === ownCenter?.centerId ? {} : { actor: { id: null, email: null } };
      if (child) auditTie(work, centerId, child, 'untie_guardian', input, actor);
    }
    return input;
  });
}

/** The caller's guardians, linked by any center. */
export async function listGuardians(ctx: Context) {
  const ties = await ctx.app.db.acrossTenants.guardianship.findMany({
    where: { childId: currentActor(ctx).actorId },
    include: { guardian: { select: { name: true } }, center: { select: { name: true } } },
    orderBy: [{ createdAt: 'asc' }, { guardianId: 'asc' }],
    take: MOST_CHILDREN,
  });
  return ties.map(({ guardianId, guardian, center, createdAt }) => ({
    guardianId,
    guardianName: guardian.name,
    centerName: center.name,
    since: createdAt,
  }));
}

export type OwnGuardian = Awaited<ReturnType<typeof listGuardians>>[number];

async function isMember({ db }: Work, centerId: number, actorId: string): Promise<boolean> {
  return (await db.membership.count({ where: { centerId, actorId, status: 'ACTIVE' } })) > 0;
}

const memberIn = ({ db }: Work, centerId: number, actorId: string) =>
  db.membership.findFirst({ where: { centerId, actorId }, orderBy: { id: 'desc' } });

/** Permanently ends the guardianships of a person who is no longer an active PARENT of the center. */
export async function endGuardianships(
  { db }: Work,
  where: { centerId: number; guardianId?: string; childId?: string },
): Promise<string[]> {
  const ties = await db.guardianship.findMany({ where });
  await db.guardianship.deleteMany({ where });
  return ties.map((tie) => tie.childId);
}

async function lockMember({ db }: Work, centerId: number, actorId: string, role: 'PARENT' | 'CHILD') {
  const [member] = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM membership
    WHERE center_id = ${centerId} AND actor_id = ${actorId}::uuid AND role = ${role}::actor_role
      AND status = 'ACTIVE' AND (role <> 'CHILD' OR child_consent_at IS NOT NULL)
    FOR SHARE`;
  return member;
}

function auditTie(
  work: Work,
  centerId: number,
  child: { id: string; status: string },
  move: string,
  input: GuardianshipInput,
  by: { actor?: { id: null; email: null } } = {},
) {
  const detail = { from: child.status, to: child.status, move, ...input };
  work.audit({ type: 'membership.moved', target: child.id, centerId, detail, ...by });
}

/** Guardians and children, with the names that the center knows. */
export type NamedGuardianship = Awaited<ReturnType<typeof listGuardianships>>[number];

/** The links that the caller's center has made, by the child's name. */
export async function listGuardianships(ctx: Context, page: ListPage) {
  // People belong to no center, so their names are read outside the center's scope.
  const ties = await ctx.app.db.acrossTenants.guardianship.findMany({
    where: { centerId: currentCenterId(ctx) },
    include: { guardian: { select: { name: true } }, child: { select: { name: true } } },
    orderBy: [
      { child: { name: 'asc' } },
      { guardian: { name: 'asc' } },
      { childId: 'asc' },
      { guardianId: 'asc' },
    ],
    ...page,
  });
  return ties.map(({ guardianId, childId, guardian, child, createdAt }) => ({
    guardianId,
    guardianName: guardian.name,
    childId,
    childName: child.name,
    since: createdAt,
  }));
}
