import { z } from 'zod';
import { ActorRole } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { transact } from '../unit-of-work.ts';
import { authorityOver, noSuchMembership } from './authority.ts';
import { membershipRef } from './change-status.ts';
import { leaveActive } from './leave.ts';
import { keepAnAdmin, lockCenter } from './seats.ts';
import { type MemberView, memberInclude, memberView } from './view.ts';

export const changeMemberRoleInput = membershipRef.extend({ role: z.enum(ActorRole) });

/** Makes a member something else in the center. An open invitation keeps the role that was offered. */
export async function changeMemberRole(
  ctx: Context,
  { membershipId: id, role }: z.infer<typeof changeMemberRoleInput>,
): Promise<MemberView> {
  return transact(
    ctx,
    async (work) => {
      const known = await work.db.membership.findUnique({ where: { id }, include: memberInclude });
      if (!known) throw noSuchMembership();
      if (!authorityOver(ctx, known).isCenterAdmin) {
        throw new DomainError('INSUFFICIENT_ROLE', 'Only an ADMIN of the center may do this.');
      }
      await lockCenter(work.db, known.centerId);
      const membership = await work.db.membership.findUniqueOrThrow({ where: { id } });
      const { status, role: before, centerId } = membership;
      if (status === 'INVITED' || status === 'REJECTED' || status === 'ENDED') {
        throw new DomainError('CONFLICT', `The membership is ${status}; its role stays as it is.`);
      }
      if (role === before) return memberView(known);
      if (status === 'ACTIVE' && before === 'ADMIN') await keepAnAdmin(work.db, centerId, id);
      const consequences = await leaveActive(ctx, work, membership, { status, role });
      work.audit({
        type: 'membership.moved',
        target: id,
        centerId,
        detail: { from: status, to: status, move: 'change_role', roleBefore: before, role, ...consequences },
      });
      const changed = await work.db.membership.update({
        where: { id },
        data: { role },
        include: memberInclude,
      });
      return memberView(changed);
    },
    { acrossTenants: true }, // partners and platform admins look after several centers
  );
}
