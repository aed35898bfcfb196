import { CONNECT_SECONDS } from '../domain/identities/waiting.ts';
import type { SignedIn } from '../domain/identity/sessions.ts';
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from '../domain/identity/tokens.ts';
import { DomainError } from '../lib/errors.ts';
import type { RequestContext } from './request-context.ts';

/** Holds the access token of browser users. */
export const AUTH_COOKIE = 'auth_token';
/** Holds the refresh token. It is sent only to the refresh endpoint, and scripts cannot read it. */
const REFRESH_COOKIE = 'refresh_token';
const REFRESH_PATH = '/graphql';
/** Stores the domain of the last visited center for the next sign-in. */
const LAST_CENTER_COOKIE = 'last_center';

/** Holds the secret of a browser whose sign-in at a provider waits until a profile is proven. */
const CONNECT_COOKIE = 'connect';

const YEAR_SECONDS = 365 * 24 * 3_600;

export function lastVisitedCenter({ cookies }: RequestContext): string | null {
  return cookies[LAST_CENTER_COOKIE] ?? null;
}

/** The refresh token in the request, or else the one in the cookie. */
export function refreshTokenOf({ cookies }: RequestContext, named: string | null | undefined): string {
  const token = named ?? cookies[REFRESH_COOKIE];
  if (!token) throw new DomainError('UNAUTHORIZED', 'There is no session to renew; sign in.');
  return token;
}

/** Sets the session cookies for a browser and returns the grant. */
export function setSessionCookies(ctx: RequestContext, granted: SignedIn): SignedIn {
  const { accessToken, refreshToken, center } = granted;
  ctx.cookiesToSet.push(
    { name: AUTH_COOKIE, value: accessToken, maxAgeSeconds: ACCESS_TOKEN_SECONDS },
    {
      name: REFRESH_COOKIE,
      value: refreshToken,
      maxAgeSeconds: REFRESH_TOKEN_SECONDS,
      path: REFRESH_PATH,
    },
  );
  if (center) {
    ctx.cookiesToSet.push({ name: LAST_CENTER_COOKIE, value: center.domain, maxAgeSeconds: YEAR_SECONDS });
  }
  return granted;
}

export function clearSessionCookie(ctx: RequestContext): void {
  ctx.cookiesToSet.push(
    { name: AUTH_COOKIE, value: null },
    { name: REFRESH_COOKIE, value: null, path: REFRESH_PATH },
  );
}

export function setConnectCookie(ctx: RequestContext, secret: string): void {
  ctx.cookiesToSet.push({ name: CONNECT_COOKIE, value: secret, maxAgeSeconds: CONNECT_SECONDS });
}

export const connectSecretOf = ({ cookies }: RequestContext): string | undefined => cookies[CONNECT_COOKIE];

export function clearConnectCookie(ctx: RequestContext): void {
  ctx.cookiesToSet.push({ name: CONNECT_COOKIE, value: null });
}
