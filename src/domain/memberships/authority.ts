import { DomainError } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';

/** What a caller is to a membership. */
export interface Authority {
  isInvitee: boolean;
  isCenterAdmin: boolean;
}

/**
 * Whoever runs the center administers its memberships: its ADMINs, accounts of the partner that owns it (somebody has
 * to let the first ADMIN in) and platform admins, who may also accept on behalf of the invited person. A membership of
 * another center does not exist for the caller.
 */
export function authorityOver(
  ctx: Context,
  membership: { actorId: string; centerId: number; center: { partnerId: string | null } },
): Authority {
  const { principal } = ctx;
  if (principal.kind === 'system') return { isInvitee: true, isCenterAdmin: true };
  if (principal.kind !== 'actor') throw noSuchMembership();
  if (principal.platformAdmin) return { isInvitee: true, isCenterAdmin: true };
  const isInvitee = principal.familyIds.includes(membership.actorId);
  const { center, partner } = principal;
  const ownsCenter = partner !== null && partner.id === membership.center.partnerId;
  const inCenter = center.open && center.centerId === membership.centerId;
  const isCenterAdmin = ownsCenter || (inCenter && center.role === 'ADMIN');
  if (isInvitee || isCenterAdmin) return { isInvitee, isCenterAdmin };
  // Without an open center the caller learns why it is closed, not whether the membership exists.
  if (!partner) currentCenterId(ctx);
  if (inCenter) throw new DomainError('INSUFFICIENT_ROLE', 'Only an ADMIN of the center may do this.');
  throw noSuchMembership();
}

export const noSuchMembership = () => new DomainError('NOT_FOUND', 'There is no such membership.');
