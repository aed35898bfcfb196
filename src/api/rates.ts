import type { Config } from '../config.ts';
import { type Quota, RateLimitExceeded, type RateState } from '../domain/limits/limiter.ts';
import { centerIdOf, type Principal } from '../domain/principal.ts';
import { networkOf } from '../lib/client-address.ts';
import type { App, RequestContext } from './request-context.ts';

export { unlimited } from '../domain/limits/limiter.ts';

/** How a call is counted. */
export type Tier = 'public' | 'caller' | 'webhooks' | 'graphql' | 'scim';

/** The quotas of a call: the caller's tier first, then the center's. */
export function quotasFor(
  tier: Tier,
  principal: Principal,
  address: string,
  rates: Config['rates'],
): Quota[] {
  const own = quotaFor(tier, principal, address, rates);
  const centerId = centerIdOf(principal);
  // A directory has a separate quota, so that an import does not use up the one of the center's people.
  return centerId === null || tier === 'scim'
    ? [own]
    : [own, { key: `center ${centerId}`, limit: rates.center }];
}

/** Counts against the quotas in order; a call that the first one refuses is not counted against the center's. */
export async function countAll(
  { limiter }: App,
  quotas: readonly Quota[],
  now: Date,
  cost: number,
): Promise<RateState | null> {
  let own: RateState | null = null;
  for (const quota of quotas) {
    const state = await limiter.count(quota, now, cost);
    own ??= state;
  }
  return own;
}

/** Counts the cost of a request beyond its first point. */
export async function charge(ctx: RequestContext, points: number): Promise<void> {
  if (points <= 0) return;
  try {
    const rate = await countAll(ctx.app, ctx.quotas, ctx.now, points);
    if (rate) ctx.onCounted(rate);
  } catch (error) {
    if (error instanceof RateLimitExceeded) ctx.onCounted(error.rate);
    throw error;
  }
}

/**
 * The quota of a call: public endpoints count by address, all others by caller. A person's GraphQL requests have a separate
 * quota; those of a key count with its other calls.
 */
export function quotaFor(tier: Tier, principal: Principal, address: string, rates: Config['rates']): Quota {
  if (tier === 'public') return { key: `public ${networkOf(address)}`, limit: rates.public };
  switch (principal.kind) {
    case 'actor':
      if (tier === 'graphql') return { key: `graphql ${principal.actorId}`, limit: rates.graphql };
      return {
        key: `actor ${principal.actorId}`,
        limit: principal.partner ? rates.partner : rates.standard,
      };
    case 'apiKey':
      return tier === 'webhooks'
        ? { key: `webhooks ${principal.keyId}`, limit: rates.standard }
        : { key: `key ${principal.keyId}`, limit: principal.ratePerMinute ?? rates.proof };
    case 'system':
      return { key: `scim ${principal.centerId}`, limit: rates.scim };
    default:
      return { key: `anonymous ${networkOf(address)}`, limit: rates.anonymous };
  }
}
