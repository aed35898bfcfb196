// Identities that wait until their person has proven that a profile is theirs.

import type { Prisma } from '../../db/database.ts';
import { randomToken, sha256Hex } from '../../lib/crypto.ts';
import { withoutUnstorable } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import type { Work } from '../unit-of-work.ts';
import { claimsInUse, type ProviderClaims } from './claims.ts';
import type { MatchedBy, MembershipOfPerson } from './match.ts';
import type { CenterProvider } from './settings.ts';

export const CONNECT_SECONDS = 600;

interface NewWaiting {
  settings: CenterProvider;
  claims: ProviderClaims;
  membership: MembershipOfPerson;
  matchedBy: MatchedBy;
  next: string | null;
}

/** Keeps a confirmed identity for the browser that signed in. Returns the secret for its cookie. */
export async function keepWaiting(
  ctx: Context,
  { db }: Work,
  { settings, claims, membership, matchedBy, next }: NewWaiting,
): Promise<string> {
  const secret = randomToken();
  const { sid, authTime } = claims;
  const kept = {
    matchedBy,
    clientId: settings.clientId,
    sid,
    authTime: authTime?.toISOString() ?? null,
    all: claimsInUse(settings, claims),
  };
  await db.waitingIdentity.create({
    data: {
      browserHash: sha256Hex(secret),
      centerId: settings.centerId,
      issuer: claims.issuer,
      subject: claims.subject,
      actorId: membership.actor.id,
      membershipId: membership.id,
      claims: withoutUnstorable(kept) as Prisma.InputJsonObject,
      next,
      expiresAt: new Date(ctx.now.getTime() + CONNECT_SECONDS * 1_000),
    },
  });
  return secret;
}
