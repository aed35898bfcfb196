import {
  parseVerifierKey,
  readKeyHistory,
  type TrustedKey,
  type TrustedServiceKey,
} from '@countersign/proof-kit';
import { UsageError } from '../arguments.ts';
import { fetchUrl } from '../fetch-url.ts';

export const KEYS_PATH = '/.well-known/countersign-keys.json';

/** The keys the caller trusts; undefined if none was given, so that documents may bring their own. */
export async function collectKeys(options: {
  keys: string[];
  keysFrom: string[];
}): Promise<TrustedServiceKey[] | undefined> {
  const { keys, keysFrom } = options;
  if (keys.length + keysFrom.length === 0) return undefined;
  const published = await Promise.all(keysFrom.map(publishedBy));
  return [...keys.map(readKey), ...published.flat()];
}

export function readKey(text: string): TrustedServiceKey {
  try {
    return parseVerifierKey(text);
  } catch {
    throw new UsageError(`--key ${text}: not a verifier key`);
  }
}

/** Accepts keys as text too. */
export function asText({ name, publicKey }: TrustedServiceKey): TrustedKey {
  return { name, publicKey: Buffer.from(publicKey).toString('base64') };
}

/** The URL of a service, or of the key list itself. */
export async function publishedBy(address: string): Promise<TrustedServiceKey[]> {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`--keys-from ${address}: not an address`);
  const list = url.pathname.includes('/.well-known/')
    ? url
    : new URL(url.href.replace(/\/+$/, '') + KEYS_PATH);
  const response = await fetchUrl(list, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${list.href} answered ${response.status}`);
  return keysIn(await response.json().catch(() => null), list.href);
}

/**
 * The keys of the signed history, each with the time it was retired. A key that is only in the list, or listed with another
 * time, was added by someone who could not sign the history.
 */
async function keysIn(answer: unknown, source: string): Promise<TrustedServiceKey[]> {
  const { keys: listed, history } = (answer ?? {}) as { keys?: unknown; history?: unknown };
  const isHistory = Array.isArray(history) && history.every((line) => typeof line === 'string');
  if (!Array.isArray(listed) || !isHistory)
    throw new Error(`${source} is not a list of keys with their history`);
  const keys = await readKeyHistory(history).catch((error: Error) => {
    throw new Error(`${source}: ${error.message}`, { cause: error });
  });
  const known = new Map(keys.map((key) => [key.vkey, key]));
  for (const entry of listed as ({ vkey?: unknown; until?: unknown } | null)[]) {
    const key = known.get(String(entry?.vkey));
    if (!key || (entry!.until ?? null) !== key.until)
      throw new Error(`${source}: the key ${entry?.vkey} is not listed as its signed history has it`);
  }
  return keys.toReversed().map(({ vkey, vouched, until }) => ({
    ...parseVerifierKey(vkey),
    isUnvouched: !vouched,
    ...(until !== null && { until }),
  }));
}
