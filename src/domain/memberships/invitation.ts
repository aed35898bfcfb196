import type { ActorRole, PartnerRole } from '../../db/generated/prisma/enums.ts';
import { newId } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import type { Work } from '../unit-of-work.ts';
import { approversOf } from './approvers.ts';
import { type MemberRow, memberInclude } from './view.ts';

/** Whom to invite to a center: the owner of an address, or a known person. */
type Invitee = { email: string; name: string | null } | { actorId: string; email: string | null };

interface Invitation {
  centerId: number;
  invitee: Invitee;
  role: ActorRole;
  specialties?: string[];
  /** The role at the center's partner that comes with it. */
  partnerRole?: PartnerRole;
}

/**
 * Invites someone to a center by mail. An address does not identify a person: the account it belongs to, if any, is determined
 * when its owner accepts, and is not looked up before.
 */
export async function inviteTo(
  ctx: Context,
  work: Work,
  { centerId, invitee, role, specialties = [], partnerRole }: Invitation,
): Promise<MemberRow> {
  const who =
    'actorId' in invitee
      ? { actorId: invitee.actorId }
      : { invitedEmail: invitee.email, invitedName: invitee.name };
  const membership = await work.db.membership.create({
    data: {
      id: newId('mbr'),
      centerId,
      ...who,
      role,
      status: 'INVITED',
      specialties,
      partnerRole: partnerRole ?? null,
      invitedAt: ctx.now,
    },
    include: memberInclude,
  });
  work.audit({
    type: 'membership.moved',
    target: membership.id,
    centerId,
    detail: { from: null, to: 'INVITED', move: 'invite', role },
  });
  if (invitee.email !== null) await mailInvitation(ctx, work, membership.id, centerId, invitee.email);
  return membership;
}

export async function mailInvitation(
  ctx: Context,
  work: Work,
  membershipId: string,
  centerId: number,
  to: string,
): Promise<void> {
  const byActorId = ctx.principal.kind === 'actor' ? ctx.principal.actorId : null;
  const approver = (await approversOf(ctx, [centerId], work.db)).get(centerId)!;
  work.mail({ kind: 'invitation', to, centerId, about: { membershipId, byActorId, approver } });
}

/** From now on no link of the invitation works, not even one that is just being mailed. */
export async function invalidateLinks({ db }: Work, membershipId: string): Promise<void> {
  await db.$queryRaw`SELECT id FROM membership WHERE id = ${membershipId} FOR UPDATE`;
  await db.mail.updateMany({
    where: { membershipId, status: 'WAITING' },
    data: { status: 'DROPPED', nextAttemptAt: null },
  });
  await db.linkToken.deleteMany({ where: { membershipId } });
}
