import type { Membership } from '../../db/generated/prisma/client.ts';
import { DomainError } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import type { ActorPrincipal } from '../principal.ts';

/** The caller's relation to a membership. */
interface Authority {
  isInvitee: boolean;
  isCenterAdmin: boolean;
  /** Whether that is so only as an account of the center's partner. */
  isPartner?: boolean;
}

type Concerned = Pick<Membership, 'actorId' | 'invitedEmail' | 'status' | 'centerId'> & {
  center: { partnerId: string | null };
};

/**
 * Memberships are administered by the center's ADMINs, by accounts of the partner that owns it (who admit the first ADMIN; see
 * `requireNoAdmin`) and by platform admins. None of them acts for the person: only the recipient can answer an invitation. A membership of another
 * center is reported as not found.
 */
export function authorityOver(ctx: Context, membership: Concerned): Authority {
  const { principal } = ctx;
  if (principal.kind === 'system') return { isInvitee: false, isCenterAdmin: true };
  if (principal.kind !== 'actor') throw membershipNotFound();
  const isBeyond = principal.onlyCenterId !== null && principal.onlyCenterId !== membership.centerId;
  const isInvitee = !isBeyond && isMeant(principal, membership);
  if (principal.platformAdmin) return { isInvitee, isCenterAdmin: true };
  const { center, partner } = principal;
  const ownsCenter = partner !== null && partner.id === membership.center.partnerId;
  const inCenter = center.open && center.centerId === membership.centerId;
  const runsCenter = inCenter && center.role === 'ADMIN';
  const isCenterAdmin = ownsCenter || runsCenter;
  const isPartner = ownsCenter && !runsCenter;
  if (isInvitee || isCenterAdmin) return { isInvitee, isCenterAdmin, isPartner };
  // If the caller's center is closed, the error says why, and does not reveal whether the membership exists.
  if (!partner) currentCenterId(ctx);
  if (inCenter) throw new DomainError('INSUFFICIENT_ROLE', 'Only an ADMIN of the center may do this.');
  throw membershipNotFound();
}

/** An invitation is for the owner of its address or the person it names, not for their family. */
function isMeant(person: ActorPrincipal, { status, actorId, invitedEmail }: Concerned): boolean {
  if (status !== 'INVITED') return actorId !== null && person.familyIds.includes(actorId);
  return actorId === person.actorId || (invitedEmail !== null && invitedEmail === person.email);
}

export const membershipNotFound = () => new DomainError('NOT_FOUND', 'Membership not found.');
