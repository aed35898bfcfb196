import type { Context } from '../context.ts';
import type { ActorPrincipal } from '../principal.ts';

/** A membership with what its center shows. */
export interface MembershipView {
  id: string;
  centerId: number;
  centerName: string;
  centerDomain: string;
  role: 'ADMIN' | 'INSTRUCTOR' | 'PARENT' | 'CHILD';
  status: 'INVITED' | 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'REJECTED' | 'ENDED';
  invitedAt: Date;
  endedAt: Date | null;
}

/** Every membership of a family, oldest first. */
export async function familyMemberships({ app }: Context, familyIds: string[]): Promise<MembershipView[]> {
  const rows = await app.db.acrossTenants.membership.findMany({
    where: { actorId: { in: familyIds } },
    include: { center: { select: { name: true, centerDomain: true } } },
    orderBy: [{ invitedAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ center, ...row }) => ({
    ...row,
    centerName: center.name,
    centerDomain: center.centerDomain,
  }));
}

/** The domains a family may enter right now. */
export async function authorizedDomains({ app }: Context, familyIds: string[]): Promise<string[]> {
  const centers = await app.db.acrossTenants.center.findMany({
    where: { status: 'ACTIVE', memberships: { some: { actorId: { in: familyIds }, status: 'ACTIVE' } } },
    select: { centerDomain: true },
    orderBy: { id: 'asc' },
  });
  return centers.map((center) => center.centerDomain);
}

/** The signed-in person; access rules have made sure that there is one. */
export function currentActor({ principal }: Context): ActorPrincipal {
  if (principal.kind !== 'actor') throw new Error('no actor is signed in');
  return principal;
}
