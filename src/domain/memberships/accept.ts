import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import type { Work } from '../unit-of-work.ts';
import { addressesOfApprovers } from './approvers.ts';
import { invalidateLinks } from './invitation.ts';
import { type MemberView, memberInclude, memberView } from './view.ts';

/** A person who has proven that an invitation is theirs. */
interface Accepter {
  id: string;
  email: string | null;
}

/** Binds an invitation to the person who accepts it: INVITED becomes PENDING. */
export async function acceptAs(
  ctx: Context,
  work: Work,
  membershipId: string,
  accepter: Accepter,
): Promise<MemberView> {
  await invalidateLinks(work, membershipId);
  const { status, role, centerId, partnerRole, partnerId } = await work.db.membership.findUniqueOrThrow({
    where: { id: membershipId },
  });
  if (status !== 'INVITED') {
    throw new DomainError('CONFLICT', `A membership cannot go from ${status} to PENDING.`);
  }
  const other = await work.db.membership.findFirst({
    where: {
      centerId,
      actorId: accepter.id,
      id: { not: membershipId },
      status: { notIn: ['ENDED', 'REJECTED'] },
    },
  });
  if (other) throw new DomainError('CONFLICT', 'You are a member of this center already.');
  if (partnerRole && partnerId) await takeOffice(ctx, work, { partnerId, role: partnerRole }, accepter.id);
  work.audit({
    type: 'membership.moved',
    target: membershipId,
    centerId,
    detail: { from: 'INVITED', to: 'PENDING', move: 'accept' },
    actor: accepter,
  });
  const moved = await work.db.membership.update({
    where: { id: membershipId },
    data: {
      status: 'PENDING',
      actorId: accepter.id,
      acceptedAt: ctx.now,
      ...(role === 'CHILD' && { childConsentAt: ctx.now }),
    },
    include: memberInclude,
  });
  const { kind, addresses } = await addressesOfApprovers(work.db, centerId, accepter.id);
  for (const to of addresses) {
    work.mail({ kind: 'membership_accepted', to, centerId, about: { membershipId, approver: kind } });
  }
  return memberView(moved);
}

/** A person works for one partner. They could not access a second one. */
async function takeOffice(
  { now }: Context,
  { db }: Work,
  office: { partnerId: string; role: 'PARTNER_ADMIN' | 'PARTNER_OPERATOR' },
  actorId: string,
): Promise<void> {
  const held = await db.partnerMembership.findFirst({ where: { actorId } });
  if (held && held.partnerId !== office.partnerId) {
    throw new DomainError('CONFLICT', 'You are an account of another partner already.');
  }
  if (!held) await db.partnerMembership.create({ data: { ...office, actorId, createdAt: now } });
}
