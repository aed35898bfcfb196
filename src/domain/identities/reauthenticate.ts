// For a person of a center, signing in at its provider again is the fresh proof of who uses a session.

import type { IdentityProvider } from '../../db/generated/prisma/client.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import { shownEmailOf } from '../identity/reach.ts';
import { transact } from '../unit-of-work.ts';
import type { ProviderClaims } from './claims.ts';
import { lockProvider, readSignIn } from './complete-sign-in.ts';
import { liveSession } from './link.ts';
import { issueTicket } from './tickets.ts';

const MAX_AGE_MINUTES = 5;

/** The address at which the caller's browser signs in at the provider again. */
export async function reauthenticateWithProvider(ctx: Context): Promise<{ url: string }> {
  const { homeCenterId: centerId } = currentActor(ctx);
  if (centerId === null) {
    throw new DomainError('FORBIDDEN', 'An account proves who uses it with its password or a passkey.');
  }
  return transact.acrossTenants(ctx, async (work) => {
    if ((await work.db.identityProvider.count({ where: { centerId } })) === 0) {
      throw new DomainError('CENTER_NOT_FOUND', 'This center has no identity provider.');
    }
    return { url: await issueTicket(ctx, work, { purpose: 'CONFIRM', centerId }) };
  });
}

/** Renews the proof of a session whose person has just signed in at the provider with the same identity. */
export async function confirmSessionAtProvider(
  ctx: Context,
  provider: IdentityProvider,
  claims: ProviderClaims,
  sessionId: string,
): Promise<void> {
  await transact.acrossTenants(ctx, async (work) => {
    const { settings, facts } = readSignIn(await lockProvider(work.db, provider), claims);
    const { issuer, subject, authTime } = facts;
    const { centerId } = settings;
    const { id, actor, identityId } = await liveSession(work.db, sessionId, ctx.now);
    const identity = await work.db.identity.findUnique({
      where: { centerId_issuer_subject: { centerId, issuer, subject } },
    });
    const isSame = identity?.actorId === actor.id && (identityId === null || identityId === identity.id);
    if (!isSame || actor.homeCenterId !== centerId) {
      throw new DomainError('UNAUTHORIZED', 'This is not the identity that the session belongs to.');
    }
    const oldest = ctx.now.getTime() - MAX_AGE_MINUTES * 60_000;
    if (authTime !== null && authTime.getTime() <= oldest) {
      throw new DomainError(
        'UNAUTHORIZED',
        `The provider did not ask for a new sign-in: the last one was more than ${MAX_AGE_MINUTES} minutes ago.`,
      );
    }
    const provenAt = authTime !== null && authTime < ctx.now ? authTime : ctx.now;
    await work.db.session.update({ where: { id }, data: { provenAt, proofAttempts: 0 } });
    work.audit({
      type: 'auth.signed_in',
      target: id,
      centerId,
      detail: { reauthenticated: 'provider', provider: settings.name },
      actor: { id: actor.id, email: shownEmailOf(actor) },
    });
  });
}
