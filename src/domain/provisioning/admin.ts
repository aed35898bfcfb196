import { z } from 'zod';
import type { Actor } from '../../db/generated/prisma/client.ts';
import { newId } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import { inviteTo } from '../memberships/invitation.ts';
import type { ActorPrincipal } from '../principal.ts';
import type { Work } from '../unit-of-work.ts';

export const emailField = z.email().max(254);

/** Makes a person the administrator of a new center immediately. */
async function addAdmin({ now }: Context, { db, audit }: Work, centerId: number, actorId: string) {
  const membership = await db.membership.create({
    data: {
      id: newId('mbr'),
      centerId,
      actorId,
      role: 'ADMIN',
      status: 'ACTIVE',
      invitedAt: now,
      acceptedAt: now,
      activatedAt: now,
    },
  });
  audit({
    type: 'membership.moved',
    centerId,
    target: membership.id,
    detail: { from: null, to: 'ACTIVE', role: 'ADMIN' },
  });
  return membership;
}

/** The administrator of an ordered center: added immediately if allowed, otherwise invited by mail. */
export async function addOrInviteAdmin(
  ctx: Context,
  work: Work,
  caller: ActorPrincipal,
  centerId: number,
  admin: Actor,
) {
  if (await needsNoAsking(work, caller, admin.id)) return addAdmin(ctx, work, centerId, admin.id);
  const invitee = { actorId: admin.id, email: admin.email };
  return inviteTo(ctx, work, { centerId, invitee, role: 'ADMIN' });
}

/** People who order for themselves, and people who already work with the partner. The platform may appoint anyone. */
async function needsNoAsking({ db }: Work, caller: ActorPrincipal, actorId: string): Promise<boolean> {
  if (caller.platformAdmin || caller.familyIds.includes(actorId)) return true;
  if (!caller.partner) return false;
  const partnerId = caller.partner.id;
  const accounts = await db.partnerMembership.count({ where: { partnerId, actorId } });
  if (accounts > 0) return true;
  return (await db.membership.count({ where: { partnerId, actorId, status: 'ACTIVE' } })) > 0;
}
