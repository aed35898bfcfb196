import type { Db, Tx } from '../../db/database.ts';
import type { Center, Membership as MembershipRow } from '../../db/generated/prisma/client.ts';
import type { CenterStatus, MembershipStatus } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';
import type { CenterAccess } from '../principal.ts';

/** A person with all related accounts, as far as access to centers is concerned. */
export interface Visitor {
  actorId: string;
  /** The person's own address. Invitations to it are theirs. */
  email?: string | null;
  familyIds: readonly string[];
}

type Membership = Pick<MembershipRow, 'id' | 'actorId' | 'role' | 'status' | 'invitedAt'>;

const closed = (code: Extract<CenterAccess, { open: false }>['code'], message: string): CenterAccess => ({
  open: false,
  code,
  message,
});

/** Why a membership of this status gives no access. Only ACTIVE does. */
function refusal(status: MembershipStatus | undefined, center: CenterStatus): CenterAccess | null {
  if (center === 'INACTIVE') return closed('CENTER_NOT_FOUND', 'Center not found.');
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

/** The most relevant membership first: an ACTIVE one gives access regardless of others. */
const ORDER: MembershipStatus[] = ['ACTIVE', 'SUSPENDED', 'PENDING', 'INVITED', 'ENDED', 'REJECTED'];

/** Among equals, the person's own membership precedes a relative's, then the oldest. */
function mostTelling(memberships: readonly Membership[], actorId: string): Membership | undefined {
  return [...memberships].sort(
    (a, b) =>
      ORDER.indexOf(a.status) - ORDER.indexOf(b.status) ||
      Number(b.actorId === actorId) - Number(a.actorId === actorId) ||
      a.invitedAt.getTime() - b.invitedAt.getTime() ||
      (a.id < b.id ? -1 : 1),
  )[0];
}

/** Whether the family's memberships give access to a center. */
export function decideAccess(
  center: Pick<Center, 'id' | 'centerDomain' | 'status'>,
  memberships: readonly Membership[],
  actorId: string,
): CenterAccess {
  const membership = mostTelling(memberships, actorId);
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

/** Whether a person may enter a center now. */
export async function centerAccess(
  db: Db | Tx,
  { actorId, familyIds }: Visitor,
  where: { id: number } | { centerDomain: string } | null,
): Promise<CenterAccess> {
  if (where === null) return closed('NO_MEMBERSHIP', 'There is no current center.');
  const center = await db.center.findUnique({
    where,
    include: { memberships: { where: { actorId: { in: [...familyIds] } } } },
  });
  if (!center) return closed('CENTER_NOT_FOUND', 'Center not found.');
  return decideAccess(center, center.memberships, actorId);
}

/** Returns the access, or throws the error that says why there is none. */
export function requireOpen(access: CenterAccess): Extract<CenterAccess, { open: true }> {
  if (access.open) return access;
  throw new DomainError(access.code, access.message);
}
