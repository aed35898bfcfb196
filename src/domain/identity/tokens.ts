import jwt from 'jsonwebtoken';
import type { ActorRole } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';

export const ACCESS_TOKEN_SECONDS = 3_600;
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 3_600;
const MAX_AUTHORIZED_DOMAINS = 50;

/** What a token must be to be looked at; plugin-jwt on the GraphQL side is pinned to the same. */
export const tokenRules = {
  algorithms: ['HS256'],
  issuer: 'countersign',
  audience: 'countersign-platform',
} satisfies jwt.VerifyOptions;

/** What an access token carries. The database has the last word on all of it at each request. */
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

export function signAccessToken(claims: AccessClaims, secret: string, now: Date): string {
  const issuedAt = Math.floor(now.getTime() / 1_000);
  return jwt.sign(
    {
      ...claims,
      authorizedDomains: claims.authorizedDomains.slice(0, MAX_AUTHORIZED_DOMAINS),
      iat: issuedAt,
      exp: issuedAt + ACCESS_TOKEN_SECONDS,
    },
    secret,
    { algorithm: 'HS256', issuer: tokenRules.issuer, audience: tokenRules.audience, subject: claims.actorId },
  );
}

/** Garbage, unsigned, foreign or forged: UNAUTHORIZED. Once ours but too old: TOKEN_EXPIRED. */
export function verifyAccessToken(token: string, secret: string, now: Date): VerifiedClaims {
  try {
    const clockTimestamp = Math.floor(now.getTime() / 1_000);
    const claims = jwt.verify(token, secret, { ...tokenRules, clockTimestamp }) as unknown as VerifiedClaims;
    const { sessionId, actorId, exp } = claims;
    if (typeof sessionId !== 'string' || typeof actorId !== 'string' || typeof exp !== 'number') {
      throw new Error('claims are missing');
    }
    return claims;
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) {
      throw new DomainError('TOKEN_EXPIRED', 'The access token has expired; refresh it.');
    }
    throw new DomainError('UNAUTHORIZED', 'The access token is not valid.');
  }
}
