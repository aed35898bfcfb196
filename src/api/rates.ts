import type { Config } from '../config.ts';
import type { Quota } from '../domain/limits/limiter.ts';
import type { Principal } from '../domain/principal.ts';

export { unlimited } from '../domain/limits/limiter.ts';

/** How a call is counted. */
export type Tier = 'public' | 'caller' | 'webhooks' | 'graphql';

/**
 * Which count a call falls into: public endpoints by address, everything else by who calls. GraphQL requests of a
 * person count apart; those of a key count with its others.
 */
export function quotaFor(tier: Tier, principal: Principal, address: string, rates: Config['rates']): Quota {
  if (tier === 'public') return { key: `public ${address}`, limit: rates.public };
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
    default:
      return { key: `anonymous ${address}`, limit: rates.anonymous };
  }
}
