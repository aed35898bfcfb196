import type { Config } from '../config.ts';
import type { Bus } from '../db/bus.ts';
import type { Database, Db, Queryable, Reads } from '../db/database.ts';
import type { Heartbeat } from '../db/heartbeat.ts';
import type { ContentBudget, ContentHold } from '../lib/content-budget.ts';
import type { Vault } from '../lib/crypto.ts';
import { DomainError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { Transport } from '../lib/mail/message.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { OutboundClient } from '../lib/outbound/client.ts';
import type { IdempotencyClaim } from './idempotency/claim.ts';
import type { Limiter, RateState } from './limits/limiter.ts';
import type { StorageMeter } from './limits/storage.ts';
import { accessError, centerIdOf, type Principal } from './principal.ts';

/**
 * Services that live as long as the process and serve every feature. The composition (`src/app.ts`) adds the services of
 * features.
 */
export interface Infrastructure {
  config: Config;
  log: Log;
  db: Database;
  bus: Bus;
  /** The heartbeat of this process. */
  heartbeat: Heartbeat;
  vault: Vault;
  metrics: Metrics;
  limiter: Limiter;
  /** Enforces the storage quotas of centers. */
  storage: StorageMeter;
  /** Bounds what the requests and jobs of this process hold in memory of what they read. */
  contentBudget: ContentBudget;
  /** The cached principals of this process, invalidated when permissions change. */
  principals: { invalidate(): Promise<void> };
  /** The HTTP client for addresses that tenants supply. */
  outbound: OutboundClient;
  /** Sends mail; null if no transport is configured. */
  transport: Transport | null;
}

/**
 * Everything that a domain function may know about the call it serves. Requests and jobs create it the same way. A function
 * that needs a service of its feature names it: `Context<{ sealer: Sealer }>`.
 */
export interface Context<Services = unknown> {
  app: Infrastructure & Services;
  requestId: string;
  principal: Principal;
  /** The timestamp of this call. */
  now: Date;
  ip: string | null;
  userAgent: string | null;
  /** The caller's Idempotency-Key, once the call holds it. The call's change marks it as completed. */
  idempotency: IdempotencyClaim | null;
  /** The workflows that led to this call, oldest first, passed on to everything it causes. */
  causes: readonly string[];
  /** The rows of the caller's center. Without a center: none at all. */
  db: Db;
  /** Where lists, searches and statistics read: the primary, or a replica for queries that may lag behind it. */
  reads: Reads;
  /** What the request holds of what it read. Null in jobs, which hold content only while they read it. */
  content: ContentHold | null;
  /** Called with the state of a rate limit after a domain function has counted the call against it. */
  onCounted(rate: RateState): void;
}

/** No center has this id, so a client scoped to it sees nothing. */
const NO_CENTER = 0;

export type ContextInput<App extends Infrastructure> = { app: App; principal: Principal } & Partial<
  Omit<Context, 'app' | 'principal'>
>;

export function makeContext<App extends Infrastructure>({
  app,
  principal,
  ...rest
}: ContextInput<App>): Context<App> {
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
    reads: app.db,
    content: null,
    onCounted: () => {},
    ...rest,
  };
}

/** Makes the call read from the replica, unless that lags behind this position or is unavailable. */
export function readFromReplica(ctx: Context, after: string | null): void {
  const { replica } = ctx.app.db;
  if (!replica?.isUsable(after)) return;
  ctx.reads = replica.reads;
  ctx.db = replica.reads.forCenter(centerIdOf(ctx.principal) ?? NO_CENTER);
}

/** The service's own context for a job or a command, with or without a center. */
export function systemContext<App extends Infrastructure>(
  app: App,
  name: string,
  centerId: number | null,
): Context<App> {
  return makeContext({ app, principal: { kind: 'system', name, centerId }, requestId: `system:${name}` });
}

/** Raw SQL that reads rows of the caller's center. */
export function ownRows(ctx: Context): Queryable {
  return ctx.reads.declared([currentCenterId(ctx)]);
}

/** The caller's center. Throws the error that says why there is none. */
export function currentCenterId({ principal }: Context): number {
  const centerId = centerIdOf(principal);
  if (centerId !== null) return centerId;
  if (principal.kind === 'actor' && !principal.center.open) {
    throw accessError(principal.center);
  }
  throw new DomainError('NO_MEMBERSHIP', 'You are not in a center; switch to one first.');
}
