import { z } from 'zod';
import { sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { transact } from '../unit-of-work.ts';
import { countAttempt } from './attempts.ts';
import { deadLink } from './link-token.ts';
import { isEmail, normaliseEmail } from './normalise.ts';
import { hashPassword, newPassword } from './password.ts';
import { endSessionsOf } from './sessions.ts';

export const requestPasswordResetInput = z.object({ email: plainText(254) });
export const resetPasswordInput = z.object({ token: z.string().min(1).max(1_024), password: newPassword });

/**
 * Asks for a link to set a new password. The answer is the same whether anybody has this address or not, and so is
 * everything done for it here: who is looked up only when the mail is written.
 */
export async function requestPasswordReset(
  ctx: Context,
  input: z.infer<typeof requestPasswordResetInput>,
): Promise<true> {
  if (!isEmail(input.email)) throw new DomainError('INVALID_EMAIL', 'email: is no valid address');
  const email = normaliseEmail(input.email);
  await countAttempt(ctx, email);
  await transact(ctx, async (work) => work.mail({ kind: 'password_reset', to: email, about: {} }), {
    acrossTenants: true,
  });
  return true;
}

/** Sets the password of whoever the link was mailed to and ends all their sessions. The link works once. */
export async function resetPassword(
  ctx: Context,
  { token, password }: z.infer<typeof resetPasswordInput>,
): Promise<true> {
  await countAttempt(ctx, 'link');
  const usable = { tokenHash: sha256Hex(token), purpose: 'PASSWORD' as const, expiresAt: { gt: ctx.now } };
  // Looked up before the costly hash, so that made-up tokens do not keep the processors busy.
  const known = await ctx.app.db.acrossTenants.linkToken.findFirst({
    where: usable,
    include: { actor: true },
  });
  if (!known?.actor) throw deadLink();
  const { id, email } = known.actor;
  const passwordHash = await hashPassword(password);
  await transact(
    ctx,
    async (work) => {
      // Of many that try at once exactly one deletes it.
      const { count } = await work.db.linkToken.deleteMany({ where: usable });
      if (count === 0) throw deadLink();
      await work.db.linkToken.deleteMany({ where: { actorId: id, purpose: 'PASSWORD' } });
      await work.db.actor.update({ where: { id }, data: { passwordHash } });
      const sessions = await endSessionsOf(ctx, work, { id, email }, 'password reset');
      work.audit({
        type: 'auth.session_revoked',
        target: id,
        centerId: null,
        detail: { reason: 'password reset', sessions },
        actor: { id, email },
      });
      if (email) work.mail({ kind: 'password_changed', to: email, about: { actorId: id } });
    },
    { acrossTenants: true }, // people do not belong to one center
  );
  return true;
}
