import type { Db, Tx } from '../../db/database.ts';
import type { Center, Membership as MembershipRow } from '../../db/generated/prisma/client.ts';
import type { CenterStatus, MembershipStatus } from '../../db/generated/prisma/enums.ts';
import { accessError, type CenterAccess, type ProviderIdentity } from '../principal.ts';

/** A person with all related accounts, as far as access to centers is concerned. */
export interface Visitor {
  actorId: string;
  /** The person's own address. Invitations to it are theirs. */
  email?: string | null;
  familyIds: readonly string[];
  /** The only center that the visitor can enter; null without a limit. */
  onlyCenterId: number | null;
  /** What the visitor signed in with at the provider of that center, if at one. */
  identity: ProviderIdentity | null;
}

type Membership = Pick<MembershipRow, 'id' | 'actorId' | 'role' | 'status' | 'invitedAt' | 'emergencyAccess'>;
/** What decides whether a password or a passkey opens the center. */
export const providerRule = { select: { name: true, required: true } } as const;

type VisitedCenter = Pick<Center, 'id' | 'centerDomain' | 'status'> & {
  identityProvider: { name: string; required: boolean } | null;
};

type Closed = Extract<CenterAccess, { open: false }>;

const closed = (code: Closed['code'], message: string): Closed => ({
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

/** A center can require its provider. Marked ADMINs still enter with their own password or passkey. */
function requiresProvider(
  { identityProvider }: VisitedCenter,
  { actorId, emergencyAccess, role }: Membership,
  visitor: Visitor,
): CenterAccess | null {
  if (!identityProvider?.required || visitor.identity !== null) return null;
  if (emergencyAccess && role === 'ADMIN' && actorId === visitor.actorId) return null;
  const { name } = identityProvider;
  return {
    ...closed('FORBIDDEN', `This center requires signing in with ${name}.`),
    details: { reason: 'provider_required', provider: name },
  };
}

/** Whether the memberships of a visitor, and of the visitor's family, give access to a center. */
export function decideAccess(
  center: VisitedCenter,
  memberships: readonly Membership[],
  visitor: Visitor,
): CenterAccess {
  const isBeyond = visitor.onlyCenterId !== null && visitor.onlyCenterId !== center.id;
  const membership = isBeyond ? undefined : mostTelling(memberships, visitor.actorId);
  return (
    refusal(membership?.status, center.status) ??
    requiresProvider(center, membership!, visitor) ?? {
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
  visitor: Visitor,
  where: { id: number } | { centerDomain: string } | null,
): Promise<CenterAccess> {
  if (where === null) return closed('NO_MEMBERSHIP', 'There is no current center.');
  const center = await db.center.findUnique({
    where,
    include: {
      memberships: { where: { actorId: { in: [...visitor.familyIds] } } },
      identityProvider: providerRule,
    },
  });
  if (!center) return closed('CENTER_NOT_FOUND', 'Center not found.');
  return decideAccess(center, center.memberships, visitor);
}

/** Returns the access, or throws the error that says why there is none. */
export function requireOpen(access: CenterAccess): Extract<CenterAccess, { open: true }> {
  if (access.open) return access;
  throw accessError(access);
}
