import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Config } from '../../config.ts';
import type { Pool } from '../../db/database.ts';
import { networkOf } from '../../lib/client-address.ts';
import { DomainError } from '../../lib/errors.ts';

/** A group of callers that share a limit, and its number of calls per window. */
export interface Quota {
  key: string;
  limit: number;
}

/** The state of a rate limit after a call, as shown in the rate headers. */
export interface RateState {
  limit: number;
  remaining: number;
  /** Unix seconds. */
  resetAt: number;
}

/** Shown if nothing is counted. */
const UNLIMITED = 1_000_000;

const MINUTE = 60;
const QUARTER_HOUR = 900;
const HOUR = 3_600;
/** The library only counts. The limit is compared here, because it differs between callers. */
const NO_CAP = Number.MAX_SAFE_INTEGER;

export interface Limiter {
  /** Counts a request by its cost. Throws RATE_LIMITED if the limit is exceeded. */
  count(quota: Quota, now: Date, cost?: number): Promise<RateState>;
  /** Counts a sign-in attempt for a pair of IP address and name. */
  countLogin(address: string, name: string, now: Date): Promise<RateState>;
  /** Counts a change of a person's profile, which is mailed to others. */
  countProfileChange(actorId: string, now: Date): Promise<RateState>;
  /** The number of recent failed sign-ins for a name, from any address. */
  failures(name: string): Promise<number>;
  countFailure(name: string): Promise<void>;
}

/** Counters are keyed by digests, so that the table contains no personal data. */
export function makeLimiter(config: Config, pool: Pool, digest: (text: string) => string): Limiter {
  const inPostgres = (tableName: string, duration: number) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName,
      tableCreated: true,
      clearExpiredByTimeout: false, // the sweep job does it
      points: NO_CAP,
      duration,
      keyPrefix: '',
    });
  const requests =
    config.rates.store === 'memory'
      ? new RateLimiterMemory({ points: NO_CAP, duration: MINUTE, keyPrefix: '' })
      : inPostgres('rate_counter', MINUTE);
  // Always in PostgreSQL: a restart must not reset the number of attempts.
  const logins = inPostgres('login_counter', QUARTER_HOUR);
  const accounts = inPostgres('login_counter', HOUR);
  const accountKey = (name: string) => digest(`account ${name}`);
  return {
    count: (quota, now, cost) => consume(requests, quota, now, cost),
    countLogin: (address, name, now) =>
      consume(logins, { key: digest(`${networkOf(address)} ${name}`), limit: config.rates.auth }, now),
    countProfileChange: (actorId, now) =>
      consume(accounts, { key: digest(`profile ${actorId}`), limit: config.rates.mail }, now),
    failures: async (name) =>
      config.rates.auth === 0 ? 0 : ((await accounts.get(accountKey(name)))?.consumedPoints ?? 0),
    countFailure: async (name) => {
      if (config.rates.auth > 0) await accounts.consume(accountKey(name));
    },
  };
}

async function consume(
  limiter: RateLimiterAbstract,
  { key, limit }: Quota,
  now: Date,
  cost = 1,
): Promise<RateState> {
  if (limit === 0) return unlimited(now);
  const counted = await limiter.consume(key, cost).catch((reason: unknown) => {
    if (reason instanceof RateLimiterRes) return reason;
    throw reason;
  });
  const waitSeconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1_000));
  const state = {
    limit,
    remaining: Math.max(0, limit - counted.consumedPoints),
    resetAt: Math.ceil((now.getTime() + counted.msBeforeNext) / 1_000),
  };
  if (counted.consumedPoints > limit) throw new RateLimitExceeded(state, waitSeconds);
  return state;
}

export class RateLimitExceeded extends DomainError {
  readonly rate: RateState;

  constructor(rate: RateState, waitSeconds: number) {
    super('RATE_LIMITED', `Too many requests; wait ${waitSeconds} seconds.`, { retryAfter: waitSeconds });
    this.rate = rate;
  }
}

export function unlimited(now: Date): RateState {
  return { limit: UNLIMITED, remaining: UNLIMITED, resetAt: Math.ceil(now.getTime() / 1_000) + MINUTE };
}
