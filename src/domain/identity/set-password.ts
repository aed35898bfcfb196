import { z } from 'zod';
import { sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { mayVouchFor } from '../memberships/newcomer.ts';
import { transact } from '../unit-of-work.ts';
import { countAttempt } from './attempts.ts';
import { leadsIn } from './invitation-token.ts';
import { hashPassword, newPassword } from './password.ts';

export const setPasswordInput = z.object({ token: z.string().min(1).max(1_024), password: newPassword });

const invalidToken = () => new DomainError('UNAUTHORIZED', 'The token is wrong, expired or was used before.');

/** Sets the first password of the person whose token it is. Of many that try at once exactly one succeeds. */
export async function setPassword(
  ctx: Context,
  { token, password }: z.infer<typeof setPasswordInput>,
): Promise<{ email: string | null }> {
  await countAttempt(ctx, 'password');
  const usable = { tokenHash: sha256Hex(token), usedAt: null, expiresAt: { gt: ctx.now } };
  // Looked up before the costly hash, so that made-up tokens do not keep the processors busy.
  const known = await ctx.app.db.acrossTenants.passwordToken.findFirst({ where: usable });
  if (!known) throw invalidToken();
  const passwordHash = await hashPassword(password);
  return transact(
    ctx,
    async ({ db, audit }) => {
      const { count } = await db.passwordToken.updateMany({ where: usable, data: { usedAt: ctx.now } });
      if (count === 0) throw invalidToken();
      const { id, status, centerId, actor } = await db.membership.findUniqueOrThrow({
        where: { id: known.membershipId },
        include: { actor: true },
      });
      // What was true when the token was made may have changed: the person can have become more than a newcomer.
      const { byPlatform } = known;
      if (!leadsIn(status) || !(await mayVouchFor(db, actor.id, { centerId, byPlatform }))) {
        throw invalidToken();
      }
      const set = await db.actor.updateMany({
        where: { id: actor.id, passwordHash: null },
        data: { passwordHash },
      });
      if (set.count === 0) throw invalidToken();
      const detail = { from: status, to: status, move: 'set_password' };
      audit({
        type: 'membership.moved',
        target: id,
        centerId,
        detail,
        actor: { id: actor.id, email: actor.email },
      });
      return { email: actor.email };
    },
    { acrossTenants: true }, // people do not belong to one center
  );
}
