import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { countAttempt } from '../identity/attempts.ts';
import { requireFreshProof } from '../identity/fresh-proof.ts';
import { currentActor } from '../identity/me.ts';
import { findMatch, hashPassword, newPassword } from '../identity/password.ts';
import { endOtherSessions } from '../identity/sessions.ts';
import { endPasswordLinks } from '../mail/link-token.ts';
import { centerIdOf } from '../principal.ts';
import { transact, type Work } from '../unit-of-work.ts';

export const changePasswordInput = z.object({
  currentPassword: z.string().min(1).max(1_024).describe('The password until now, at most 1,024 characters.'),
  newPassword: newPassword.describe('The new password, 10 to 1,024 characters.'),
});

/** Replaces the caller's password and ends all their other sessions. */
export async function changePassword(
  ctx: Context,
  input: z.infer<typeof changePasswordInput>,
): Promise<true> {
  const { actorId, email } = currentActor(ctx);
  await requireFreshProof(ctx);
  // Counted together with sign-in, so a stolen session allows no additional guesses.
  await countAttempt(ctx, email || actorId);
  const { passwordHash: current } = await ctx.app.db.acrossTenants.actor.findUniqueOrThrow({
    where: { id: actorId },
  });
  if ((await findMatch(current === null ? [] : [current], input.currentPassword)) < 0) throw wrongPassword();
  const passwordHash = await hashPassword(input.newPassword);
  await transact.acrossTenants(ctx, async (work) => {
    // The password must still be the one that was checked: of two concurrent changes the second is refused.
    const { count } = await work.db.actor.updateMany({
      where: { id: actorId, passwordHash: current },
      data: { passwordHash },
    });
    if (count === 0) throw wrongPassword();
    await endPasswordLinks(work.db, actorId);
    await endOtherSessions(ctx, work, 'password changed');
    auditPassword(ctx, work, actorId);
    if (email) work.mail({ kind: 'password_changed', to: email, about: { actorId } });
  });
  return true;
}

/** A password belongs to a person, like a passkey: its change is on the platform's chain and in the session's center. */
function auditPassword({ principal }: Context, work: Work, actorId: string): void {
  const entry = {
    type: 'api_key.changed' as const,
    target: actorId,
    detail: { change: 'replaced', kind: 'password' },
  };
  work.audit({ ...entry, centerId: null });
  const centerId = centerIdOf(principal);
  if (centerId !== null) work.audit({ ...entry, centerId });
}

const wrongPassword = () => new DomainError('INVALID_CREDENTIALS', 'The current password is wrong.');
