import { z } from 'zod';
import { ActorRole } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { authorityOver, membershipNotFound } from './authority.ts';
import { membershipRef } from './change-status.ts';
import { applyRole, canChange } from './confirm-role.ts';
import { invalidateLinks } from './invitation.ts';
import { lockCenter, requireRemainingAdmin } from './seats.ts';
import { type MemberRow, type MemberView, memberInclude, memberView } from './view.ts';

export const changeMemberRoleInput = membershipRef.extend({ role: z.enum(ActorRole) });

/**
 * Changes a member's role in the center. An open invitation keeps the role that was offered. Being a CHILD shows a guardian
 * the person's memberships everywhere, so that change waits until the person has confirmed it by mail.
 */
export async function changeMemberRole(
  ctx: Context,
  { membershipId: id, role }: z.infer<typeof changeMemberRoleInput>,
): Promise<MemberView> {
  return transact(
    ctx,
    async (work) => {
      const known = await work.db.membership.findUnique({ where: { id }, include: memberInclude });
      if (!known) throw membershipNotFound();
      const { isCenterAdmin, isOperator } = authorityOver(ctx, known);
      if (!isCenterAdmin)
        throw new DomainError('INSUFFICIENT_ROLE', 'Only an ADMIN of the center may do this.');
      await lockCenter(work.db, known.centerId);
      if (isOperator) await requireUnestablished(work, known.centerId);
      const membership = await work.db.membership.findUniqueOrThrow({
        where: { id },
        include: memberInclude,
      });
      if (!canChange(membership)) {
        throw new DomainError('CONFLICT', `The membership is ${membership.status}; its role stays as it is.`);
      }
      // Replaces any earlier request.
      if (membership.pendingRole !== null) await invalidateLinks(work, id);
      if (role === membership.role) return memberView(await askFor(work, id, null));
      if (role !== 'CHILD') return memberView(await applyRole(ctx, work, membership, role));
      return memberView(await askPerson(ctx, work, membership, role));
    },
    { acrossTenants: true }, // partners and platform admins look after several centers
  );
}

/** A partner's operators set a center up. Once it has an ADMIN, only its ADMINs change roles. */
async function requireUnestablished({ db }: Work, centerId: number): Promise<void> {
  const admins = await db.membership.count({ where: { centerId, status: 'ACTIVE', role: 'ADMIN' } });
  if (admins > 0) {
    throw new DomainError(
      'INSUFFICIENT_ROLE',
      'The center has an ADMIN of its own; a PARTNER_OPERATOR does not change roles there.',
    );
  }
}

async function askPerson(
  ctx: Context,
  work: Work,
  membership: MemberRow,
  role: ActorRole,
): Promise<MemberRow> {
  const { id, status, role: before, centerId, actor } = membership;
  if (status === 'ACTIVE' && before === 'ADMIN') await requireRemainingAdmin(work.db, centerId, id);
  if (!actor?.email) {
    throw new DomainError('CONFLICT', 'The person has no email address at which to confirm the change.');
  }
  const byActorId = ctx.principal.kind === 'actor' ? ctx.principal.actorId : null;
  work.mail({ kind: 'role_change', to: actor.email, centerId, about: { membershipId: id, byActorId } });
  work.audit({
    type: 'membership.moved',
    target: id,
    centerId,
    detail: { from: status, to: status, move: 'ask_role', roleBefore: before, role },
  });
  return askFor(work, id, role);
}

const askFor = ({ db }: Work, id: string, pendingRole: ActorRole | null): Promise<MemberRow> =>
  db.membership.update({ where: { id }, data: { pendingRole }, include: memberInclude });
