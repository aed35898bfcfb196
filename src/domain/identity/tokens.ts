import jwt from 'jsonwebtoken';
import type { ActorRole } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';

export const ACCESS_TOKEN_SECONDS = 3_600;
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 3_600;
const MAX_AUTHORIZED_DOMAINS = 50;

/** The requirements for every token. */
export const tokenRules = {
  algorithms: ['HS256'],
  issuer: 'countersign',
  audience: 'countersign-platform',
} satisfies jwt.VerifyOptions;

/** The claims of an access token. The database is authoritative for all of them on each request. */
interface AccessClaims {
  actorId: string;
  email: string;
  centerId: number | null;
  centerDomain: string | null;
  role: ActorRole;
  authorizedDomains: string[];
  sessionId: string;
}

interface VerifiedClaims extends AccessClaims {
  /** Unix seconds. */
  exp: number;
}

export function signAccessToken(
  claims: AccessClaims,
  secret: string,
  now: Date,
  lifetime = ACCESS_TOKEN_SECONDS,
): string {
  const issuedAt = Math.floor(now.getTime() / 1_000);
  return jwt.sign(
    {
      ...claims,
      authorizedDomains: claims.authorizedDomains.slice(0, MAX_AUTHORIZED_DOMAINS),
      iat: issuedAt,
      exp: issuedAt + lifetime,
    },
    secret,
    { algorithm: 'HS256', issuer: tokenRules.issuer, audience: tokenRules.audience, subject: claims.actorId },
  );
}

/** The claims of a token that we signed, expired or not; null for any other token. */
export type TokenVerifier = (token: string) => Promise<Record<string, unknown> | null>;

/**
 * Throws UNAUTHORIZED for a token that is malformed, unsigned, foreign or forged, and TOKEN_EXPIRED for an expired one of
 * ours.
 */
export async function verifyAccessToken(
  verify: TokenVerifier,
  token: string,
  now: Date,
): Promise<VerifiedClaims> {
  const claims = (await verify(token)) as Partial<VerifiedClaims> | null;
  const { sessionId, actorId, exp } = claims ?? {};
  if (typeof sessionId !== 'string' || typeof actorId !== 'string' || typeof exp !== 'number') {
    throw new DomainError('UNAUTHORIZED', 'The access token is not valid.');
  }
  if (exp * 1_000 <= now.getTime()) {
    throw new DomainError('TOKEN_EXPIRED', 'The access token has expired; refresh it.');
  }
  return claims as VerifiedClaims;
}
