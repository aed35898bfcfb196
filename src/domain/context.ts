import type { Db } from '../db/database.ts';
import { DomainError } from '../lib/errors.ts';
import type { App } from './app.ts';
import type { RateState } from './limits/limiter.ts';
import { centerIdOf, type Principal } from './principal.ts';

export interface CookieOptions {
  maxAgeSeconds?: number;
}

/** A cookie to set with the answer; a null value removes it. */
export interface CookieToSet extends CookieOptions {
  name: string;
  value: string | null;
}

/** All that a domain function may know of the call it serves. REST, GraphQL and jobs make it the same way. */
export interface Context {
  app: App;
  requestId: string;
  principal: Principal;
  /** The one moment at which this call happens. */
  now: Date;
  ip: string | null;
  userAgent: string | null;
  /** Cookies that came in, by name. */
  cookies: Readonly<Record<string, string>>;
  /** Cookies that go out with the answer. */
  cookiesToSet: CookieToSet[];
  /** The caller's Idempotency-Key, once the call holds it: its change marks it as carried out. */
  idempotency: { principal: string; key: string } | null;
  /** The workflows that led to this call, oldest first; what it causes carries them on. */
  causes: readonly string[];
  /** Whether the query was written by us, a REST row's: then its size was weighed when it was written. */
  ownQuery: boolean;
  /** The schema with which a REST row has checked the body it passes on; null for everybody else. */
  bodyCheckedBy: object | null;
  /** How the caller's quota stands; null where nothing is counted. */
  rate: RateState | null;
  /** The rows of the caller's center. Without a center: none at all. */
  db: Db;
}

/** No center has this id, so a client scoped to it sees nothing. */
const NO_CENTER = 0;

export type ContextInput = Pick<Context, 'app' | 'principal'> & Partial<Context>;

export function makeContext({ app, principal, ...rest }: ContextInput): Context {
  return {
    app,
    principal,
    requestId: '',
    now: new Date(),
    ip: null,
    userAgent: null,
    cookies: {},
    cookiesToSet: [],
    idempotency: null,
    causes: [],
    ownQuery: false,
    bodyCheckedBy: null,
    rate: null,
    db: app.db.forCenter(centerIdOf(principal) ?? NO_CENTER),
    ...rest,
  };
}

/** The service's own context for a job or a command, in one center or in none. */
export function systemContext(app: App, name: string, centerId: number | null): Context {
  return makeContext({ app, principal: { kind: 'system', name, centerId }, requestId: `system:${name}` });
}

/** The caller's center, or the error that says why there is none. */
export function currentCenterId({ principal }: Context): number {
  const centerId = centerIdOf(principal);
  if (centerId !== null) return centerId;
  if (principal.kind === 'actor' && !principal.center.open) {
    throw new DomainError(principal.center.code, principal.center.message);
  }
  throw new DomainError('NO_MEMBERSHIP', 'There is no current center.');
}
