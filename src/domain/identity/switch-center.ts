import { z } from 'zod';
import { doc } from '../../lib/doc.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { transact } from '../unit-of-work.ts';
import { centerAccess, requireOpen } from './center-access.ts';
import { isEmergencyEntry, mailEmergencyEntry } from './emergency.ts';
import { currentActor } from './me.ts';
import { surveyCenters } from './open-centers.ts';
import { grantTokens, refreshExpiry, type SignedIn } from './sessions.ts';

export const switchCenterInput = z.object({
  centerId: z
    .int()
    .meta(doc('The id of the center to enter, a positive integer. It needs an ACTIVE membership.', 12)),
});

/** Moves the session to another center that the person or a related account may enter. */
export async function switchCenter(ctx: Context, centerId: number): Promise<SignedIn> {
  const visitor = currentActor(ctx);
  return transact.acrossTenants(ctx, async (work) => {
    const { db } = work;
    const access = await centerAccess(db, visitor, { id: centerId });
    // Ids can be enumerated, so a center that does not exist looks the same as one without access.
    if (!access.open && access.code === 'CENTER_NOT_FOUND') {
      throw new DomainError('NO_MEMBERSHIP', 'You have no active membership in this center.');
    }
    const center = requireOpen(access);
    const { open } = await surveyCenters(db, visitor);
    const session = await db.session.update({
      where: { id: visitor.sessionId },
      data: { centerId, lastUsedAt: ctx.now },
      include: { actor: true },
    });
    const isEntering = !(visitor.center.open && visitor.center.centerId === centerId);
    if (isEntering && (await isEmergencyEntry(db, visitor.actorId, centerId))) {
      await mailEmergencyEntry(ctx, work, { actor: session.actor, centerId, provider: null });
      const detail = { emergency: true, switched: true };
      work.audit({ type: 'auth.signed_in', target: session.id, centerId, detail });
    }
    return grantTokens(ctx, db, {
      sessionId: session.id,
      sessionEnds: session.identityId === null ? refreshExpiry(ctx.now) : session.expiresAt,
      actor: session.actor,
      open,
      center: { id: centerId, centerDomain: center.centerDomain },
    });
  });
}
