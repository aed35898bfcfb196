// OpenID Connect Back-Channel Logout 1.0: the provider says that a person signed out there, and their sessions here end.

import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import { isUniqueViolation } from '../../db/faults.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { endProviderSessions } from '../identity/end-provider-sessions.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { TOLERANCE_SECONDS } from './exchange-code.ts';
import { providerKeys } from './keys.ts';
import { providerMetadata, SIGNATURES } from './metadata.ts';
import { deadlineFromNow } from './provider-fetch.ts';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const MAX_TOKEN = 16_384;

const text = z.string().min(1).max(2_048);

/** What a token must say before it is looked up at all. */
const addressed = z.looseObject({
  iss: text,
  aud: z.union([text.transform((audience) => [audience]), z.array(text).min(1).max(20)]),
});

const logoutClaims = z
  .looseObject({
    iss: text,
    iat: z.number(),
    exp: z.number(),
    jti: text,
    sub: text.optional(),
    sid: text.optional(),
    azp: text.optional(),
    nonce: z.never().optional(),
    events: z.looseObject({ [LOGOUT_EVENT]: z.looseObject({}) }),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

type LogoutClaims = z.infer<typeof logoutClaims>;

const invalid = (message: string, cause?: unknown) => new DomainError('VALIDATION_ERROR', message, { cause });

/** Ends the sessions that a logout token names. Throws VALIDATION_ERROR for a bad, reused or foreign token. */
export async function logOutByProvider(ctx: Context, token: string): Promise<number> {
  const centers = await addressedCenters(ctx, token);
  const claims = await verifiedClaims(ctx, token, centers);
  try {
    return await transact.acrossTenants(ctx, async (work) => {
      const tokenHash = sha256Hex(JSON.stringify([claims.iss, claims.jti]));
      await work.db.usedLogoutToken.create({
        data: { tokenHash, expiresAt: new Date((claims.exp + 2 * TOLERANCE_SECONDS) * 1_000) },
      });
      let ended = 0;
      for (const { centerId } of centers) ended += await endSessions(ctx, work, centerId, claims);
      return ended;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid('The logout token was already used.');
    throw error;
  }
}

/** The centers whose provider the token claims to be from. Nothing is fetched for an issuer that no center uses. */
async function addressedCenters({ app }: Context, token: string) {
  if (token.length > MAX_TOKEN) throw invalid('The logout token is too long.');
  const claimed = addressed.safeParse(readUnverified(token));
  if (!claimed.success) throw invalid('The logout token names no issuer or no audience.');
  const { iss: issuer, aud } = claimed.data;
  const centers = await app.db.acrossTenants.identityProvider.findMany({
    where: { issuer, clientId: { in: aud }, center: { status: { not: 'INACTIVE' } } },
    select: { centerId: true, issuer: true, clientId: true },
    orderBy: { centerId: 'asc' },
  });
  if (centers.length === 0) throw invalid('The logout token is not from a provider of this service.');
  return centers;
}

function readUnverified(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch (error) {
    throw invalid('The logout token is not a JWT.', error);
  }
}

async function verifiedClaims(
  { app }: Context,
  token: string,
  centers: { issuer: string; clientId: string }[],
): Promise<LogoutClaims> {
  const deadline = deadlineFromNow();
  const { issuer } = centers[0]!;
  const metadata = await providerMetadata(app, issuer, deadline);
  const wanted = { keyId: keyIdOf(token), purpose: 'logout' } as const;
  const keys = await providerKeys(app, metadata, wanted, deadline);
  const audience = centers.map(({ clientId }) => clientId);
  const verified = await jwtVerify(token, createLocalJWKSet(keys), {
    issuer,
    audience,
    algorithms: SIGNATURES,
    clockTolerance: TOLERANCE_SECONDS,
  }).catch((error: unknown) => {
    throw invalid('The logout token is not valid: its signature, its algorithm or its time is wrong.', error);
  });
  const claims = logoutClaims.safeParse(verified.payload);
  if (!claims.success) throw invalid('The logout token lacks a claim, or has one that it must not have.');
  const { iat, azp } = claims.data;
  if (iat > Date.now() / 1_000 + TOLERANCE_SECONDS) throw invalid('The logout token is from the future.');
  if (azp !== undefined && !audience.includes(azp)) throw invalid('The logout token is for another client.');
  return claims.data;
}

function keyIdOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch (error) {
    throw invalid('The logout token is not a JWT.', error);
  }
}

/** A session of the provider if the token names one, otherwise all of the subject. */
async function endSessions(
  ctx: Context,
  work: Work,
  centerId: number,
  { iss: issuer, sid, sub: subject }: LogoutClaims,
): Promise<number> {
  const reason = 'signed out at the provider';
  if (sid !== undefined) return endProviderSessions(ctx, work, { centerId, sid }, reason);
  const identity = await work.db.identity.findUnique({
    where: { centerId_issuer_subject: { centerId, issuer, subject: subject! } },
  });
  return identity ? endProviderSessions(ctx, work, { centerId, identityId: identity.id }, reason) : 0;
}
