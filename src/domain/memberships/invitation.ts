import { z } from 'zod';
import { ActorRole, type PartnerRole } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { plainText } from '../../lib/text.ts';
import { type Context, currentCenterId } from '../context.ts';
import { isEmail, normalizeEmail } from '../identity/normalize.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { approversOf } from './approvers.ts';
import { authorityOver, membershipNotFound } from './authority.ts';
import { lockCenter } from './seats.ts';
import { type MemberRow, type MemberView, memberInclude, memberView } from './view.ts';

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

async function mailInvitation(
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

export const inviteMemberInput = z.object({
  email: plainText(254).describe('The address to mail the invitation to, at most 254 characters.'),
  name: plainText(256)
    .trim()
    .min(1)
    .nullish()
    .describe('A provisional name until the person accepts, 1 to 256 characters.'),
  role: z.enum(ActorRole).describe('What the person may do in the center.'),
  specialties: z
    .array(plainText(64).trim().min(1))
    .max(20)
    .nullish()
    .describe('What an instructor specializes in, at most 20 of 1 to 64 characters.'),
});

export type InviteMemberInput = z.infer<typeof inviteMemberInput>;

/** Invites the owner of an address to the caller's center. */
export async function inviteMember(ctx: Context, input: InviteMemberInput): Promise<MemberView> {
  if (!isEmail(input.email)) throw new DomainError('INVALID_EMAIL', 'email: must be a valid email address');
  const centerId = currentCenterId(ctx);
  const email = normalizeEmail(input.email);
  return transact.acrossTenants(ctx, async (work) => {
    // Of two concurrent invitations of the same person, the second one finds the first.
    await lockCenter(work.db, centerId);
    const open = await work.db.membership.findFirst({
      where: {
        centerId,
        OR: [
          { status: 'INVITED', invitedEmail: email },
          // Only people visible to the center: a pending invitation must not reveal who it is for.
          {
            status: { in: ['PENDING', 'ACTIVE', 'SUSPENDED'] },
            actor: { OR: [{ email }, { homeCenterId: centerId, contactEmail: email }] },
          },
        ],
      },
    });
    if (open) throw new DomainError('CONFLICT', 'This person is already a member or invited.');
    const membership = await inviteTo(ctx, work, {
      centerId,
      invitee: { email, name: input.name ?? null },
      role: input.role,
      specialties: [...new Set(input.specialties ?? [])],
    });
    return memberView(membership);
  });
}

/** Resends the invitation. The previous link stops working. */
export async function resendInvitation(ctx: Context, membershipId: string): Promise<MemberView> {
  return transact.acrossTenants(ctx, async (work) => {
    const where = { id: membershipId };
    const known = await work.db.membership.findUnique({ where, include: memberInclude });
    if (!known) throw membershipNotFound();
    if (!authorityOver(ctx, known).isCenterAdmin) {
      throw new DomainError('INSUFFICIENT_ROLE', 'Only an ADMIN of the center may do this.');
    }
    await invalidateLinks(work, membershipId);
    const { status, centerId, invitedEmail, actorId } = await work.db.membership.findUniqueOrThrow({
      where,
    });
    if (status !== 'INVITED')
      throw new DomainError(
        'CONFLICT',
        `Only an INVITED membership can be invited again; this one is ${status}.`,
      );
    const named = actorId && (await work.db.actor.findUnique({ where: { id: actorId } }));
    const to = named ? named.email : invitedEmail;
    if (to === null) throw new DomainError('CONFLICT', 'The invited person has no email address.');
    await mailInvitation(ctx, work, membershipId, centerId, to);
    const detail = { from: status, to: status, move: 'resend' };
    work.audit({ type: 'membership.moved', target: membershipId, centerId, detail });
    return memberView(known);
  });
}
