import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { requireFreshProof } from '../identity/fresh-proof.ts';
import { currentActor } from '../identity/me.ts';
import { newPassword, refuseOwnName } from '../identity/new-password.ts';
import { hashPassword } from '../identity/password.ts';
import { requireOwnSession } from '../identity/reach.ts';
import { endOtherSessions } from '../identity/sessions.ts';
import { endPasswordLinks } from '../mail/link-token.ts';
import { centerIdOf } from '../principal.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { matchingHash, prove, proven } from './prove.ts';

export const changePasswordInput = z.object({
  currentPassword: z.string().min(1).max(1_024).describe('The password until now, at most 1,024 characters.'),
  newPassword: newPassword.describe(
    'The new password: 10 to 1,024 characters, and not a common one or your own address or name.',
  ),
});

const WRONG_PASSWORD = 'The current password is wrong.';

/** Replaces the caller's password and ends all their other sessions. */
export async function changePassword(
  ctx: Context,
  input: z.infer<typeof changePasswordInput>,
): Promise<true> {
  const { actorId, email, name } = currentActor(ctx);
  requireOwnSession(ctx);
  await requireFreshProof(ctx);
  // Before the attempt is counted: a refused new password must not count as a wrong current one.
  refuseOwnName('newPassword', input.newPassword, { email, name });
  const current = await prove(ctx, WRONG_PASSWORD, () => matchingHash(ctx, actorId, input.currentPassword));
  const passwordHash = await hashPassword(input.newPassword);
  await transact.acrossTenants(ctx, async (work) => {
    // The password must still be the one that was checked: of two concurrent changes the second is refused.
    const { count } = await work.db.actor.updateMany({
      where: { id: actorId, passwordHash: current },
      data: { passwordHash },
    });
    if (count === 0) throw new DomainError('INVALID_CREDENTIALS', WRONG_PASSWORD);
    await proven(ctx, work);
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
