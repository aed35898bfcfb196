import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { parseJson } from '../../lib/json.ts';
import type { OutboundClient } from '../../lib/outbound/client.ts';
import type { Infrastructure } from '../context.ts';
import type { ProviderMetadata } from './metadata.ts';
import { providerFetch, unsound } from './provider-fetch.ts';

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().optional() })) });

/** The public keys of a provider (RFC 7517). */
export type KeySet = z.infer<typeof keySet>;

interface CachedKeys {
  set: KeySet;
  /** When an unknown key last caused them to be fetched. */
  refetchedAt: number;
}

const KEPT_MS = 5 * 60_000;
const REFETCH_MS = 60_000;
const MAX_KEY_SETS = 2_000;

interface KeyRequest {
  /** The key that a token names. */
  keyId: string | undefined;
  /** Anyone can send logout tokens with made-up keys, so they do not use up what sign-ins may fetch. */
  purpose: 'sign-in' | 'logout';
}

type Cache = LRUCache<string, CachedKeys>;
/** By process: tests run several in one. */
const caches = new WeakMap<OutboundClient, Cache>();

/**
 * The keys of a provider, cached for a few minutes. A key id that is not among them means that the provider has rotated its keys:
 * they are fetched again, but at most once a minute, because anyone can send a token with any key id.
 */
export async function providerKeys(
  app: Infrastructure,
  { issuer, jwks_uri: address }: Pick<ProviderMetadata, 'issuer' | 'jwks_uri'>,
  { keyId, purpose }: KeyRequest,
  deadline: number,
): Promise<KeySet> {
  const cache: Cache = caches.get(app.outbound) ?? new LRUCache({ max: MAX_KEY_SETS, ttl: KEPT_MS });
  caches.set(app.outbound, cache);
  // Another issuer may name the same address: it must not use it up either.
  const place = JSON.stringify([purpose, issuer, address]);
  const cached = cache.get(place);
  if (!cached) {
    const set = await fetchKeys(app, address, deadline);
    cache.set(place, { set, refetchedAt: Number.NEGATIVE_INFINITY });
    return set;
  }
  const isKnown = keyId === undefined || cached.set.keys.some(({ kid }) => kid === keyId);
  const now = performance.now();
  if (isKnown || now - cached.refetchedAt < REFETCH_MS) return cached.set;
  cached.refetchedAt = now;
  cached.set = await fetchKeys(app, address, deadline);
  return cached.set;
}

async function fetchKeys({ outbound }: Infrastructure, address: string, deadline: number): Promise<KeySet> {
  const response = await providerFetch(outbound, deadline)(address, {
    method: 'GET',
    headers: { accept: 'application/json, application/jwk-set+json' },
    body: undefined,
    redirect: 'manual',
  });
  const keys = response.status === 200 ? keySet.safeParse(parseJson(await response.text())) : null;
  if (!keys?.success) throw unsound('The keys of the identity provider could not be read.');
  return keys.data;
}
