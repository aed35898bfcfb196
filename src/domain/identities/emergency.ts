import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import { requireFreshProof } from '../identity/fresh-proof.ts';
import { requireOwnSession } from '../identity/reach.ts';
import { membershipNotFound } from '../memberships/authority.ts';
import { membershipRef } from '../memberships/change-status.ts';
import { lockCenter, requireRemainingEmergencyAdmin } from '../memberships/seats.ts';
import { type MemberView, memberInclude, memberView } from '../memberships/view.ts';
import { transact } from '../unit-of-work.ts';

export const emergencyAccessInput = membershipRef.extend({
  enabled: z
    .boolean()
    .describe('Whether the ADMIN can enter while the center requires its identity provider.'),
});

/**
 * Marks an ADMIN who can enter the center with a password although it requires its identity provider, or removes the mark. A
 * provider can neither set nor remove it.
 */
export async function setEmergencyAccess(
  ctx: Context,
  { membershipId: id, enabled }: z.infer<typeof emergencyAccessInput>,
): Promise<MemberView> {
  requireOwnSession(ctx);
  await requireFreshProof(ctx);
  const centerId = currentCenterId(ctx);
  return transact.acrossTenants(ctx, async (work) => {
    await lockCenter(work.db, centerId);
    const membership = await work.db.membership.findUnique({ where: { id, centerId } });
    if (!membership) throw membershipNotFound();
    const { status, role, actorId, emergencyAccess } = membership;
    if (enabled) {
      const hasPassword =
        actorId !== null &&
        (await work.db.actor.count({ where: { id: actorId, passwordHash: { not: null } } })) > 0;
      if (status !== 'ACTIVE' || role !== 'ADMIN' || !hasPassword) {
        throw new DomainError('CONFLICT', 'Only an active ADMIN with a password can have emergency access.');
      }
    } else {
      await requireRemainingEmergencyAdmin(work.db, membership);
    }
    if (enabled !== emergencyAccess) {
      const detail = { from: status, to: status, move: 'emergency_access', enabled };
      work.audit({ type: 'membership.moved', target: id, centerId, detail });
    }
    const updated = await work.db.membership.update({
      where: { id },
      data: { emergencyAccess: enabled },
      include: memberInclude,
    });
    return memberView(updated);
  });
}
