import { z } from 'zod';
import type { Actor, Identity, Session } from '../../db/generated/prisma/client.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { doc } from '../../lib/doc.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { surveyCenters } from './open-centers.ts';
import { identityOf, visitorOf } from './reach.ts';
import { endSession, grantTokens, refreshExpiry, type SignedIn } from './sessions.ts';

export const refreshInput = z.object({
  refreshToken: z
    .string()
    .min(1)
    .max(1_024)
    .meta(
      doc(
        'The refresh token; can be exchanged once for new tokens.',
        'Zk2hJ0n8m2v1c7x5Zk2hJ0n8m2v1c7x5Zk2hJ0n8m2v',
      ),
    ),
});
/** If cookies are in use, the token may come in one. */
export const refreshInputOrCookie = z.object({
  refreshToken: refreshInput.shape.refreshToken
    .nullish()
    .describe('The newest refresh token of the session. Browsers send it in a cookie.'),
});

/**
 * Exchanges a refresh token for a new pair. Each token can be used once. If it is used again, someone else has it too, so the
 * whole session ends, including the newest pair.
 */
export async function refreshSession(ctx: Context, refreshToken: string): Promise<SignedIn> {
  // The end of a session must be committed, so the error is thrown after the transaction, not inside it.
  const signedIn = await transact.acrossTenants(ctx, (work) => trade(ctx, work, sha256Hex(refreshToken)));
  if (!signedIn) throw new DomainError('UNAUTHORIZED', 'The refresh token is not valid; sign in again.');
  return signedIn;
}

async function trade(ctx: Context, work: Work, tokenHash: string): Promise<SignedIn | null> {
  // A single statement decides: of two concurrent requests, the second waits here and then finds the token used.
  const { count } = await work.db.refreshToken.updateMany({
    where: { tokenHash, usedAt: null },
    data: { usedAt: ctx.now },
  });
  const token = await work.db.refreshToken.findUnique({
    where: { tokenHash },
    include: { session: { include: { actor: true, identity: true } } },
  });
  if (!token) return null;
  const { session } = token;
  if (count === 0) {
    await endSession(ctx, work, session.id, 'refresh token reuse');
    return null;
  }
  if (session.revokedAt || session.expiresAt <= ctx.now || token.expiresAt <= ctx.now) return null;
  return renew(ctx, work, session);
}

/**
 * Keeps the session's center even while it may not be entered. No other center replaces it. A session from a provider keeps its
 * end.
 */
async function renew(
  ctx: Context,
  { db }: Work,
  session: Session & { actor: Actor; identity: Identity | null },
): Promise<SignedIn> {
  const { actor } = session;
  const expiresAt = session.identityId === null ? refreshExpiry(ctx.now) : session.expiresAt;
  // Switching centers leaves the earlier token usable. Once either is exchanged, the other counts as used.
  await db.refreshToken.updateMany({
    where: { sessionId: session.id, usedAt: null },
    data: { usedAt: ctx.now },
  });
  await db.session.update({
    where: { id: session.id },
    data: { lastUsedAt: ctx.now, expiresAt },
  });
  const { open } = await surveyCenters(db, await visitorOf(db, actor, identityOf(session)));
  const center =
    session.centerId === null ? null : await db.center.findUnique({ where: { id: session.centerId } });
  return grantTokens(ctx, db, { sessionId: session.id, sessionEnds: expiresAt, actor, open, center });
}
