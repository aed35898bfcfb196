import { z } from 'zod';
import type { Tx } from '../../db/database.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { validationError } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { countAttempt } from '../identity/attempts.ts';
import { hashPassword, newPassword } from '../identity/password.ts';
import { endPasswordLinks, linkExpired } from '../mail/link-token.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { acceptAs } from './accept.ts';
import { type Approver, approversOf } from './approvers.ts';
import type { MemberView } from './view.ts';

export const invitationToken = z.object({ token: z.string().min(1).max(1_024) });

export const acceptInvitationInput = invitationToken.extend({
  password: newPassword.nullish(),
  name: plainText(256).trim().min(1).nullish(),
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
    throw validationError([{ path: 'password', message: 'must be chosen, with 10 to 1024 characters' }]);
  }
  const passwordHash = known?.passwordHash ? null : await hashPassword(password!);
  return transact(
    ctx,
    async (work) => {
      // Of concurrent attempts exactly one deletes it.
      const { count } = await work.db.linkToken.deleteMany({ where: { tokenHash: sha256Hex(token) } });
      if (count === 0) throw linkExpired();
      const person = await becomeKnown(ctx, work, membership, { name, passwordHash });
      return acceptAs(ctx, work, membership.id, person);
    },
    { acrossTenants: true }, // people do not belong to one center
  );
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

interface Invited {
  id: string;
  actorId: string | null;
  invitedEmail: string | null;
  invitedName: string | null;
  role: MemberView['role'];
}

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
