// Identities that wait until their person has proven that a profile is theirs.

import { z } from 'zod';
import type { Prisma } from '../../db/database.ts';
import { randomToken, sha256Hex } from '../../lib/crypto.ts';
import { withoutUnstorable } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import type { Work } from '../unit-of-work.ts';
import { claimsInUse, type ProviderClaims } from './claims.ts';
import type { MatchedBy, MembershipOfPerson } from './match.ts';
import type { ProviderSettings } from './settings.ts';

export const CONNECT_SECONDS = 600;

/** The stored form of the claims. The role is decided from them when the proof has arrived. */
export const keptClaims = z.object({
  matchedBy: z.enum(['EXTERNAL_ID', 'ADDRESS'] satisfies MatchedBy[]),
  clientId: z.string(),
  sid: z.string().nullable(),
  authTime: z.iso.datetime().nullable(),
  all: z.record(z.string(), z.unknown()),
});

export type KeptClaims = z.infer<typeof keptClaims>;

interface NewWaiting {
  settings: ProviderSettings;
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
  const kept: KeptClaims = {
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

export const claimsOfWaiting = (
  { issuer, subject }: { issuer: string; subject: string },
  { sid, authTime, all }: KeptClaims,
): ProviderClaims => ({ issuer, subject, sid, authTime: authTime === null ? null : new Date(authTime), all });
