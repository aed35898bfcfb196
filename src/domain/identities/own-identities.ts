import { DomainError, requireFound } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { endProviderSessions } from '../identity/end-provider-sessions.ts';
import { requireFreshProof } from '../identity/fresh-proof.ts';
import { currentActor } from '../identity/me.ts';
import { requireOwnSession } from '../identity/reach.ts';
import { lockCenter } from '../memberships/seats.ts';
import { transact } from '../unit-of-work.ts';
import { announceIdentity } from './notices.ts';

/** No person has more than this many; the list is not paged. */
const MOST_SHOWN = 200;

/** An identity that opens the caller's profile in one center. */
export type OwnIdentity = Awaited<ReturnType<typeof listIdentities>>[number];

/** The identities that open the caller's profile, by center. A session from a provider sees those of its center only. */
export async function listIdentities(ctx: Context) {
  const { actorId, onlyCenterId } = currentActor(ctx);
  const { db } = ctx.app;
  const identities = await db.acrossTenants.identity.findMany({
    where: { actorId, ...(onlyCenterId !== null && { centerId: onlyCenterId }) },
    orderBy: [{ linkedAt: 'asc' }, { id: 'asc' }],
    take: MOST_SHOWN,
  });
  const centers = await db.acrossTenants.center.findMany({
    where: { id: { in: identities.map(({ centerId }) => centerId) } },
    select: { id: true, name: true, centerDomain: true },
  });
  return identities.map(({ id, centerId, issuer, email, linkedAt, lastSignInAt }) => {
    const { name: centerName, centerDomain } = centers.find((center) => center.id === centerId)!;
    return { id, centerDomain, centerName, issuer, email, linkedAt, lastSignInAt };
  });
}

/** Removes an identity of the caller and ends its sessions. The membership stays. */
export async function unlinkIdentity(ctx: Context, { id }: { id: string }): Promise<true> {
  requireOwnSession(ctx);
  await requireFreshProof(ctx);
  const { actorId } = currentActor(ctx);
  const where = { id, actorId };
  const found = await ctx.app.db.acrossTenants.identity.findFirst({ where });
  const { centerId } = requireFound(found, 'Identity not found.');
  await transact.acrossTenants(ctx, async (work) => {
    await lockCenter(work.db, centerId);
    const row = await work.db.identity.findFirst({ where, include: { actor: true } });
    const { actor, ...identity } = requireFound(row, 'Identity not found.');
    // The next sign-in that fits would take the profile without a proof.
    if (actor.homeCenterId !== null && (await work.db.identity.count({ where: { actorId } })) === 1) {
      throw new DomainError(
        'CONFLICT',
        'This is the only identity of a profile that exists in its center only.',
      );
    }
    const provider = await work.db.identityProvider.findUnique({ where: { centerId } });
    await endProviderSessions(ctx, work, { centerId, identityId: id }, 'identity unlinked');
    announceIdentity(work, {
      identity,
      actor,
      provider: provider?.issuer === identity.issuer ? provider.name : identity.issuer,
      change: 'unlinked',
    });
    await work.db.identity.delete({ where: { id } });
  });
  return true;
}
