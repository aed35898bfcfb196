import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { transact } from '../unit-of-work.ts';
import { countAttempt } from './attempts.ts';
import { currentActor } from './me.ts';
import { findMatch, hashPassword, newPassword } from './password.ts';
import { endOtherSessions } from './sessions.ts';

export const changePasswordInput = z.object({
  currentPassword: z.string().min(1).max(1_024),
  newPassword,
});

/** Replaces the caller's password and ends all their other sessions: whoever knew the old one is out. */
export async function changePassword(
  ctx: Context,
  input: z.infer<typeof changePasswordInput>,
): Promise<true> {
  const { actorId, email } = currentActor(ctx);
  // Counted together with signing in: a stolen session gives nobody more guesses.
  await countAttempt(ctx, email || actorId);
  const { passwordHash: current } = await ctx.app.db.acrossTenants.actor.findUniqueOrThrow({
    where: { id: actorId },
  });
  if ((await findMatch(current === null ? [] : [current], input.currentPassword)) < 0) throw wrongPassword();
  const passwordHash = await hashPassword(input.newPassword);
  await transact(
    ctx,
    async (work) => {
      // The one that was checked must still be the one: of two changes at once the second is refused.
      const { count } = await work.db.actor.updateMany({
        where: { id: actorId, passwordHash: current },
        data: { passwordHash },
      });
      if (count === 0) throw wrongPassword();
      await endOtherSessions(ctx, work, 'password changed');
      if (email) work.mail({ kind: 'password_changed', to: email, about: { actorId } });
    },
    { acrossTenants: true },
  );
  return true;
}

const wrongPassword = () => new DomainError('INVALID_CREDENTIALS', 'The current password is wrong.');
