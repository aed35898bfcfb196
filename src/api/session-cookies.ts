import type { SignedIn } from '../domain/identity/sessions.ts';
import { ACCESS_TOKEN_SECONDS } from '../domain/identity/tokens.ts';
import type { RequestContext } from './request-context.ts';

/** Carries the access token of people who come with a browser. */
export const AUTH_COOKIE = 'auth_token';
/** Remembers the domain of the center visited last, for the next sign-in. */
const LAST_CENTER_COOKIE = 'last_center';

const YEAR_SECONDS = 365 * 24 * 3_600;

export function lastVisitedCenter({ cookies }: RequestContext): string | null {
  return cookies[LAST_CENTER_COOKIE] ?? null;
}

/** Lets a browser carry the session that was just granted; answers the grant itself. */
export function setSessionCookies(ctx: RequestContext, granted: SignedIn): SignedIn {
  const { accessToken: value, center } = granted;
  ctx.cookiesToSet.push({ name: AUTH_COOKIE, value, maxAgeSeconds: ACCESS_TOKEN_SECONDS });
  if (center) {
    ctx.cookiesToSet.push({ name: LAST_CENTER_COOKIE, value: center.domain, maxAgeSeconds: YEAR_SECONDS });
  }
  return granted;
}

export function clearSessionCookie(ctx: RequestContext): void {
  ctx.cookiesToSet.push({ name: AUTH_COOKIE, value: null });
}
