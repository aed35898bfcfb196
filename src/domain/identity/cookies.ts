import type { Context } from '../context.ts';
import { ACCESS_TOKEN_SECONDS } from './tokens.ts';

/** Carries the access token of people who come with a browser. */
export const AUTH_COOKIE = 'auth_token';
/** Remembers the domain of the center visited last, for the next sign-in. */
export const LAST_CENTER_COOKIE = 'last_center';

const YEAR_SECONDS = 365 * 24 * 3_600;

export function setSessionCookies(ctx: Context, accessToken: string, centerDomain: string | null): void {
  ctx.cookiesToSet.push({ name: AUTH_COOKIE, value: accessToken, maxAgeSeconds: ACCESS_TOKEN_SECONDS });
  if (centerDomain !== null) {
    ctx.cookiesToSet.push({ name: LAST_CENTER_COOKIE, value: centerDomain, maxAgeSeconds: YEAR_SECONDS });
  }
}

export function clearSessionCookie(ctx: Context): void {
  ctx.cookiesToSet.push({ name: AUTH_COOKIE, value: null });
}
