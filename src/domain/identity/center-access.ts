import type { Db, Tx } from '../../db/database.ts';
import type { CenterStatus, MembershipStatus } from '../../db/generated/prisma/enums.ts';
import type { CenterAccess } from '../principal.ts';

const closed = (code: Extract<CenterAccess, { open: false }>['code'], message: string): CenterAccess => ({
  open: false,
  code,
  message,
});

/** Why a membership of this status opens nothing; ACTIVE is the only one that does. */
function refusal(status: MembershipStatus | undefined, center: CenterStatus): CenterAccess | null {
  if (center === 'INACTIVE') return closed('CENTER_NOT_FOUND', 'There is no such center.');
  switch (status) {
    case 'SUSPENDED':
      return closed('MEMBERSHIP_SUSPENDED', 'Your membership in this center is suspended.');
    case 'ENDED':
      return closed('MEMBERSHIP_ENDED', 'Your membership in this center has ended.');
    case 'ACTIVE':
      return center === 'SUSPENDED' ? closed('CENTER_SUSPENDED', 'This center is suspended.') : null;
    default:
      return closed('NO_MEMBERSHIP', 'You have no active membership in this center.');
  }
}

/** The most telling membership first: an ACTIVE one opens the door whatever else there is. */
const ORDER: MembershipStatus[] = ['ACTIVE', 'SUSPENDED', 'PENDING', 'INVITED', 'ENDED', 'REJECTED'];

/** Whether a family may enter a center right now. */
export async function centerAccess(
  db: Db | Tx,
  familyIds: string[],
  centerId: number | null,
): Promise<CenterAccess> {
  if (centerId === null) return closed('NO_MEMBERSHIP', 'There is no current center.');
  const center = await db.center.findUnique({
    where: { id: centerId },
    include: { memberships: { where: { actorId: { in: familyIds } } } },
  });
  if (!center) return closed('CENTER_NOT_FOUND', 'There is no such center.');
  const membership = center.memberships.sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))[0];
  return (
    refusal(membership?.status, center.status) ?? {
      open: true,
      centerId: center.id,
      centerDomain: center.centerDomain,
      role: membership!.role,
      membershipId: membership!.id,
    }
  );
}
