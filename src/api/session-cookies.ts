import type { SignedIn } from '../domain/identity/sessions.ts';
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from '../domain/identity/tokens.ts';
import { DomainError } from '../lib/errors.ts';
import type { RequestContext } from './request-context.ts';

/** Carries the access token of people who come with a browser. */
export const AUTH_COOKIE = 'auth_token';
/** Carries the refresh token: it goes only where it can be traded in, and no script can read it. */
const REFRESH_COOKIE = 'refresh_token';
const REFRESH_PATH = '/graphql';
/** Remembers the domain of the center visited last, for the next sign-in. */
const LAST_CENTER_COOKIE = 'last_center';

const YEAR_SECONDS = 365 * 24 * 3_600;

export function lastVisitedCenter({ cookies }: RequestContext): string | null {
  return cookies[LAST_CENTER_COOKIE] ?? null;
}

/** The refresh token that the caller named, or the one that its browser brought along. */
export function refreshTokenOf({ cookies }: RequestContext, named: string | null | undefined): string {
  const token = named ?? cookies[REFRESH_COOKIE];
  if (!token) throw new DomainError('UNAUTHORIZED', 'There is no session to renew; sign in.');
  return token;
}

/** Lets a browser carry the session that was just granted; answers the grant itself. */
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
