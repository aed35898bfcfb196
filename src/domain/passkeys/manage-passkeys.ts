import type { Passkey } from '../../db/generated/prisma/client.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { requireFreshProof } from '../identity/fresh-proof.ts';
import { currentActor } from '../identity/me.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { auditPasskey, tellOwner } from './audit.ts';

/** The caller's passkeys, oldest first. */
export function listPasskeys(ctx: Context): Promise<Passkey[]> {
  return ctx.app.db.acrossTenants.passkey.findMany({
    where: { actorId: currentActor(ctx).actorId, removedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

/** Removes the passkeys of a person that they do not keep; answers the removed ones. */
export async function removeOtherPasskeys(
  ctx: Context,
  work: Work,
  owner: { id: string; email: string | null },
  keep: readonly string[],
): Promise<Passkey[]> {
  const removed = await work.db.passkey.updateManyAndReturn({
    where: { actorId: owner.id, removedAt: null, id: { notIn: [...keep] } },
    data: { removedAt: ctx.now },
  });
  for (const passkey of removed) auditPasskey(ctx, work, passkey, 'removed', owner);
  return removed;
}

/** Takes a passkey of the caller away: from now on it opens nothing. What it has signed stays signed. */
export async function removePasskey(ctx: Context, id: string): Promise<Passkey> {
  const { actorId } = currentActor(ctx);
  await requireFreshProof(ctx);
  return transact(
    ctx,
    async (work) => {
      const [passkey] = await work.db.passkey.updateManyAndReturn({
        where: { id, actorId, removedAt: null },
        data: { removedAt: ctx.now },
      });
      if (!passkey) throw new DomainError('NOT_FOUND', 'There is no such passkey.');
      auditPasskey(ctx, work, passkey, 'removed');
      tellOwner(ctx, work, passkey, 'passkey_removed');
      return passkey;
    },
    { acrossTenants: true }, // a passkey belongs to a person, not to a center
  );
}
