import type { Membership } from '../../db/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import type { ActorPrincipal } from '../principal.ts';
import type { Visitor } from './center-access.ts';
import { surveyCenters } from './open-centers.ts';

/** A membership with its center's public data. */
export interface MembershipView extends Membership {
  centerName: string;
  centerDomain: string;
}

/** All memberships of a person's family and the invitations to their own address, oldest first. */
export function familyMemberships(
  ctx: Context,
  { familyIds, email, onlyCenterId }: Pick<ActorPrincipal, 'familyIds' | 'email' | 'onlyCenterId'>,
): Promise<MembershipView[]> {
  return membershipsOf(ctx, familyIds, { invitedEmail: email || null, onlyCenterId });
}

/** All memberships of these people, with the open invitations to an address if one is given. */
export async function membershipsOf(
  { app }: Context,
  actorIds: string[],
  {
    invitedEmail = null,
    onlyCenterId = null,
  }: { invitedEmail?: string | null; onlyCenterId?: number | null } = {},
): Promise<MembershipView[]> {
  const invited = { status: 'INVITED' as const, invitedEmail };
  const rows = await app.db.acrossTenants.membership.findMany({
    where: {
      OR: [{ actorId: { in: actorIds } }, ...(invitedEmail === null ? [] : [invited])],
      ...(onlyCenterId !== null && { centerId: onlyCenterId }),
    },
    include: { center: { select: { name: true, centerDomain: true } } },
    orderBy: [{ invitedAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ center, ...row }) => ({
    ...row,
    centerName: center.name,
    centerDomain: center.centerDomain,
  }));
}

/** The domains of all centers that a person may enter now. */
export async function authorizedDomains({ app }: Context, visitor: Visitor): Promise<string[]> {
  const { open } = await surveyCenters(app.db.acrossTenants, visitor);
  return open.map((center) => center.centerDomain);
}

/** The signed-in person. Access rules guarantee that there is one. */
export function currentActor({ principal }: Context): ActorPrincipal {
  if (principal.kind !== 'actor') throw new Error('no actor is signed in');
  return principal;
}
