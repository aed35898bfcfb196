import type { Db, Declared } from '../db/database.ts';
import { DomainError } from '../lib/errors.ts';
import type { App } from './app.ts';
import type { IdempotencyClaim } from './idempotency/claim.ts';
import type { RateState } from './limits/limiter.ts';
import { centerIdOf, type Principal } from './principal.ts';

/** All that a domain function may know of the call it serves. Requests and jobs make it the same way. */
export interface Context {
  app: App;
  requestId: string;
  principal: Principal;
  /** The one moment at which this call happens. */
  now: Date;
  ip: string | null;
  userAgent: string | null;
  /** The caller's Idempotency-Key, once the call holds it: its change marks it as carried out. */
  idempotency: IdempotencyClaim | null;
  /** The workflows that led to this call, oldest first; what it causes carries them on. */
  causes: readonly string[];
  /** The rows of the caller's center. Without a center: none at all. */
  db: Db;
  /** Told how a quota stands when a domain function has counted the call against one. */
  onCounted(rate: RateState): void;
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
    idempotency: null,
    causes: [],
    db: app.db.forCenter(centerIdOf(principal) ?? NO_CENTER),
    onCounted: () => {},
    ...rest,
  };
}

/** The service's own context for a job or a command, in one center or in none. */
export function systemContext(app: App, name: string, centerId: number | null): Context {
  return makeContext({ app, principal: { kind: 'system', name, centerId }, requestId: `system:${name}` });
}

/** Raw SQL on the rows of the caller's center. */
export function ownRows(ctx: Context): Declared {
  return ctx.app.db.declared([currentCenterId(ctx)]);
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
