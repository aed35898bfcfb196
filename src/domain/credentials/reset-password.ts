import { z } from 'zod';
import type { Db } from '../../db/database.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { DomainError, validationError } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { countAttempt } from '../identity/attempts.ts';
import { newPassword, refuseOwnName } from '../identity/new-password.ts';
import { isEmail, normalizeEmail } from '../identity/normalize.ts';
import { hashPassword } from '../identity/password.ts';
import { endSessionsOf } from '../identity/sessions.ts';
import { endPasswordLinks, linkExpired } from '../mail/link-token.ts';
import { removeOtherPasskeys } from '../passkeys/manage-passkeys.ts';
import { transact } from '../unit-of-work.ts';

export const requestPasswordResetInput = z.object({
  email: plainText(254).describe('The email address of the account, at most 254 characters.'),
});
export const passwordLinkInput = z.object({
  token: z.string().min(1).max(1_024).describe('The part of the link after the #.'),
});
export const resetPasswordInput = passwordLinkInput.extend({
  password: newPassword.describe(
    'The new password: 10 to 1,024 characters, and not a common one or your own address or name.',
  ),
  keepPasskeys: z
    .array(z.string().max(64))
    .max(100)
    .nullish()
    .describe('The ids of the passkeys to keep, `psk_…`. All others are removed. Default: none are kept.'),
});

/**
 * Requests a link to set a new password. Neither the response nor the work done here depends on whether the address has an
 * account: that is looked up only when the mail is written.
 */
export async function requestPasswordReset(
  ctx: Context,
  input: z.infer<typeof requestPasswordResetInput>,
): Promise<true> {
  if (!isEmail(input.email)) throw new DomainError('INVALID_EMAIL', 'email: must be a valid email address');
  const email = normalizeEmail(input.email);
  await countAttempt(ctx, email);
  await transact.acrossTenants(ctx, async (work) =>
    work.mail({ kind: 'password_reset', to: email, about: {} }),
  );
  return true;
}

/** What the holder of a mailed link sees before choosing a password: the names of the passkeys that can be kept. */
export async function readPasswordReset(
  ctx: Context,
  { token }: z.infer<typeof passwordLinkInput>,
): Promise<{ passkeys: { id: string; name: string }[] }> {
  await countAttempt(ctx, 'link');
  const { actor } = await findLink(ctx, token);
  return { passkeys: await livePasskeys(ctx.app.db.acrossTenants, actor.id) };
}

/**
 * Sets the password of the link's recipient and ends all their sessions. Passkeys that the person does not keep are removed,
 * because one of them may be an intruder's. The link works once.
 */
export async function resetPassword(
  ctx: Context,
  { token, password, keepPasskeys }: z.infer<typeof resetPasswordInput>,
): Promise<true> {
  await countAttempt(ctx, 'link');
  // Looked up before the costly hash, so that made-up tokens do not consume CPU time.
  const { actor, usable } = await findLink(ctx, token);
  const { id, email } = actor;
  refuseOwnName('password', password, actor);
  const keep = keepPasskeys ?? [];
  const known = new Set((await livePasskeys(ctx.app.db.acrossTenants, id)).map((passkey) => passkey.id));
  const unknown = keep.find((each) => !known.has(each));
  if (unknown !== undefined)
    throw validationError([{ path: 'keepPasskeys', message: 'must name passkeys of this account only' }]);
  const passwordHash = await hashPassword(password);
  await transact.acrossTenants(ctx, async (work) => {
    // Of concurrent attempts exactly one deletes it.
    const { count } = await work.db.linkToken.deleteMany({ where: usable });
    if (count === 0) throw linkExpired();
    await endPasswordLinks(work.db, id);
    await work.db.actor.update({ where: { id }, data: { passwordHash } });
    const sessions = await endSessionsOf(ctx, work, { id, email }, 'password reset');
    work.audit({
      type: 'auth.session_revoked',
      target: id,
      centerId: null,
      detail: { reason: 'password reset', sessions },
      actor: { id, email },
    });
    const removed = await removeOtherPasskeys(ctx, work, { id, email }, keep);
    const removedPasskeys = removed.map(({ name }) => name);
    if (email) work.mail({ kind: 'password_changed', to: email, about: { actorId: id, removedPasskeys } });
  });
  return true;
}

async function findLink({ app, now }: Context, token: string) {
  const usable = { tokenHash: sha256Hex(token), purpose: 'PASSWORD' as const, expiresAt: { gt: now } };
  const link = await app.db.acrossTenants.linkToken.findFirst({ where: usable, include: { actor: true } });
  if (!link?.actor) throw linkExpired();
  return { actor: link.actor, usable };
}

function livePasskeys(db: Db, actorId: string): Promise<{ id: string; name: string }[]> {
  return db.passkey.findMany({
    where: { actorId, removedAt: null },
    select: { id: true, name: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}
