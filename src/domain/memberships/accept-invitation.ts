import { z } from 'zod';
import type { Tx } from '../../db/database.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { DomainError, validationError } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { countAttempt } from '../identity/attempts.ts';
import { newPassword, refuseOwnName } from '../identity/new-password.ts';
import { hashPassword } from '../identity/password.ts';
import { endPasswordLinks, linkExpired } from '../mail/link-token.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { type Approver, addressesOfApprovers, approversOf } from './approvers.ts';
import { invalidateLinks } from './invitation.ts';
import { type MemberRow, type MemberView, memberInclude, memberView } from './view.ts';

export const invitationToken = z.object({
  token: z.string().min(1).max(1_024).describe('The part of the link after the #.'),
});

export const acceptInvitationInput = invitationToken.extend({
  password: newPassword
    .nullish()
    .describe(
      '10 to 1,024 characters, and not a common one or your own address or name. Required if the person has no password yet, otherwise ignored.',
    ),
  name: plainText(256)
    .trim()
    .min(1)
    .nullish()
    .describe('The name of a new person, 1 to 256 characters; ignored if the person has an account.'),
});

/** What the owner of the mailbox may see of an invitation before answering it. */
export interface InvitationOffer {
  centerName: string;
  centerDomain: string;
  role: MemberView['role'];
  email: string | null;
  name: string | null;
  /** Whether to choose a password, because no account with this address has one yet. */
  needsPassword: boolean;
  expiresAt: Date;
  /** Who approves the membership once it is accepted. */
  approver: Approver;
}

/** Shows an invitation by its link, without consuming it. */
export async function readInvitation(ctx: Context, token: string): Promise<InvitationOffer> {
  const { membership, expiresAt } = await findLink(ctx, token);
  const person = await personBehind(ctx.app.db.acrossTenants, membership);
  return {
    centerName: membership.center.name,
    centerDomain: membership.center.centerDomain,
    role: membership.role,
    email: membership.invitedEmail ?? person?.email ?? null,
    name: person?.name ?? membership.invitedName,
    needsPassword: !person?.passwordHash,
    expiresAt,
    approver: (await approversOf(ctx, [membership.centerId])).get(membership.centerId)!,
  };
}

/**
 * Accepts an invitation with its mailed link. Access to the mailbox identifies the person: an account with the address is
 * theirs, and if there is none, it is created. A password is set only if there is none: the link must not open an account that
 * its owner has secured with a password.
 */
export async function acceptInvitation(
  ctx: Context,
  { token, password, name }: z.infer<typeof acceptInvitationInput>,
): Promise<MemberView> {
  const { membership } = await findLink(ctx, token);
  const known = await personBehind(ctx.app.db.acrossTenants, membership);
  if (!known?.passwordHash && password == null) {
    throw validationError([{ path: 'password', message: 'is required and must have 10 to 1024 characters' }]);
  }
  const owner = known ?? { email: membership.invitedEmail, name: name ?? membership.invitedName };
  if (!known?.passwordHash) refuseOwnName('password', password!, owner);
  const passwordHash = known?.passwordHash ? null : await hashPassword(password!);
  return transact.acrossTenants(ctx, async (work) => {
    // Of concurrent attempts exactly one deletes it.
    const { count } = await work.db.linkToken.deleteMany({ where: { tokenHash: sha256Hex(token) } });
    if (count === 0) throw linkExpired();
    const person = await becomeKnown(ctx, work, membership, { name, passwordHash });
    return acceptAs(ctx, work, membership.id, person);
  });
}

async function findLink(ctx: Context, token: string) {
  const tokenHash = sha256Hex(token);
  await countAttempt(ctx, `invitation ${tokenHash.slice(0, 16)}`);
  const link = await ctx.app.db.acrossTenants.linkToken.findFirst({
    where: { tokenHash, purpose: 'INVITATION', expiresAt: { gt: ctx.now } },
    include: { membership: { include: { center: true } } },
  });
  const membership = link?.membership;
  if (membership?.status !== 'INVITED' || membership.center.status === 'INACTIVE') throw linkExpired();
  return { membership, expiresAt: link!.expiresAt };
}

type Invited = Pick<MemberRow, 'id' | 'actorId' | 'invitedEmail' | 'invitedName' | 'role'>;

/** The invited person: the one named, or the oldest account with the verified address. */
function personBehind(db: Tx, { actorId, invitedEmail }: Invited) {
  if (actorId !== null) return db.actor.findUnique({ where: { id: actorId } });
  return db.actor.findFirst({
    where: { email: invitedEmail! },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

async function becomeKnown(
  ctx: Context,
  work: Work,
  invited: Invited,
  chosen: { name: string | null | undefined; passwordHash: string | null },
) {
  const { invitedEmail, invitedName, role } = invited;
  // Two invitations to one new address, accepted concurrently, create one account.
  await work.db
    .$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`person:${invitedEmail ?? invited.actorId}`}, 0))`;
  const person = await personBehind(work.db, invited);
  const { passwordHash } = chosen;
  if (!person) {
    const email = invitedEmail!;
    const name = chosen.name ?? invitedName ?? email.slice(0, email.indexOf('@'));
    const data = { email, name, baseRole: role, passwordHash, createdAt: ctx.now };
    return work.db.actor.create({ data });
  }
  if (person.passwordHash === null && passwordHash !== null) {
    await work.db.actor.update({ where: { id: person.id }, data: { passwordHash } });
    await endPasswordLinks(work.db, person.id);
    if (person.email)
      work.mail({ kind: 'password_changed', to: person.email, about: { actorId: person.id } });
  }
  return person;
}

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
  if (other) throw new DomainError('CONFLICT', 'You are already a member of this center.');
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
    throw new DomainError('CONFLICT', 'You already have an account with another partner.');
  }
  if (!held) await db.partnerMembership.create({ data: { ...office, actorId, createdAt: now } });
}
