import type { Context } from '../context.ts';
import type { ActorPrincipal } from '../principal.ts';
import type { Visitor } from './center-access.ts';
import { surveyCenters } from './open-centers.ts';

/** A membership with what its center shows. */
export interface MembershipView {
  id: string;
  actorId: string;
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

/** The domains of all centers that a person may enter right now. */
export async function authorizedDomains({ app }: Context, visitor: Visitor): Promise<string[]> {
  const { open } = await surveyCenters(app.db.acrossTenants, visitor);
  return open.map((center) => center.centerDomain);
}

/** The signed-in person; access rules have made sure that there is one. */
export function currentActor({ principal }: Context): ActorPrincipal {
  if (principal.kind !== 'actor') throw new Error('no actor is signed in');
  return principal;
}
