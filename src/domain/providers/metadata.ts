import { LRUCache } from 'lru-cache';
import { allowInsecureRequests, customFetch, discovery, type ServerMetadata } from 'openid-client';
import { z } from 'zod';
import type { OutboundClient } from '../../lib/outbound/client.ts';
import { checkTargetUrl } from '../../lib/outbound/targets.ts';
import type { Infrastructure } from '../context.ts';
import { ownErrorBehind, providerFetch, unsound } from './provider-fetch.ts';

/** The signatures that are accepted. With a symmetric one, a signature would prove no more than knowing the client secret. */
export const SIGNATURES = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

const endpoint = z.string().max(2_048);

/** The members of a discovery document that are used. */
const discovered = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional(),
  end_session_endpoint: endpoint.optional().catch(undefined),
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
  id_token_signing_alg_values_supported: z
    .array(z.string())
    .default(['RS256'])
    .transform((names) => names.filter((name) => SIGNATURES.includes(name)))
    .refine((names) => names.length > 0),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});

export type ProviderMetadata = z.infer<typeof discovered> & ServerMetadata;

const KEPT_MS = 5 * 60_000;
const MAX_ISSUERS = 1_000;

type Cache = LRUCache<string, Promise<ProviderMetadata>>;
/** By process: tests run several in one. */
const caches = new WeakMap<OutboundClient, Cache>();

function cacheOf({ outbound }: Infrastructure): Cache {
  const cache: Cache = caches.get(outbound) ?? new LRUCache({ max: MAX_ISSUERS, ttl: KEPT_MS });
  caches.set(outbound, cache);
  return cache;
}

/** The discovery document of an issuer, at most a few minutes old. Throws SERVICE_UNAVAILABLE if it is not sound. */
export function providerMetadata(
  app: Infrastructure,
  issuer: string,
  deadline: number,
): Promise<ProviderMetadata> {
  const cache = cacheOf(app);
  const cached = cache.get(issuer);
  if (cached) return cached;
  const reading = readMetadata(app, issuer, deadline);
  cache.set(issuer, reading);
  reading.catch(() => cache.delete(issuer));
  return reading;
}

/** The same, read now: what an ADMIN saves must be true at that moment. */
export function freshMetadata(
  app: Infrastructure,
  issuer: string,
  deadline: number,
): Promise<ProviderMetadata> {
  cacheOf(app).delete(issuer);
  return providerMetadata(app, issuer, deadline);
}

async function readMetadata(
  { outbound, config }: Infrastructure,
  issuer: string,
  deadline: number,
): Promise<ProviderMetadata> {
  const found = await discovery(new URL(issuer), 'discovery', undefined, undefined, {
    [customFetch]: providerFetch(outbound, deadline),
    execute: config.outbound.allowHttp ? [allowInsecureRequests] : [],
  }).catch((error: unknown) => {
    throw (
      ownErrorBehind(error) ?? unsound('The discovery document of the identity provider is not valid.', error)
    );
  });
  const parsed = discovered.safeParse(found.serverMetadata());
  if (!parsed.success) {
    throw unsound(
      'The discovery document of the identity provider lacks an endpoint, or an asymmetric signature.',
    );
  }
  // The library accepts another form of the same URL, and for Microsoft another issuer.
  if (parsed.data.issuer !== issuer) {
    throw unsound('The discovery document of the identity provider names another issuer.');
  }
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = parsed.data;
  for (const url of [authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint ?? jwks_uri]) {
    if (!checkTargetUrl(url, config.outbound).ok) {
      throw unsound(
        'The discovery document of the identity provider names an address that must not be used.',
      );
    }
  }
  return parsed.data;
}
