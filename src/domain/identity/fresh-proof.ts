import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { currentActor } from './me.ts';

const FRESH_MINUTES = 5;

/**
 * Throws unless the caller's session was confirmed with a password or a passkey within the last minutes. A stolen access token
 * alone must not add, remove or replace its owner's credentials.
 */
export async function requireFreshProof(ctx: Context): Promise<void> {
  // Read from the database, because the cached principal may be older than the confirmation.
  const session = await ctx.app.db.acrossTenants.session.findUnique({
    where: { id: currentActor(ctx).sessionId },
    select: { provenAt: true },
  });
  const provenAt = session?.provenAt?.getTime() ?? 0;
  if (ctx.now.getTime() - provenAt <= FRESH_MINUTES * 60_000) return;
  throw new DomainError(
    'REAUTHENTICATION_REQUIRED',
    `This session was not confirmed with a password or passkey within the last ${FRESH_MINUTES} minutes; call reauthenticate, then repeat the request.`,
  );
}
