import { parseVerifierKey, type TrustedKey, type TrustedServiceKey } from '../../proof-kit/index.ts';
import { reach } from '../reach.ts';
import { UsageError } from '../usage-error.ts';

const KEYS_PATH = '/.well-known/countersign-keys.json';

/** The keys the caller trusts; undefined when none was named, so that documents may bring their own. */
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

/** For those who pass keys around as text. */
export function asText({ name, publicKey }: TrustedServiceKey): TrustedKey {
  return { name, publicKey: Buffer.from(publicKey).toString('base64') };
}

interface Published {
  vkey: string;
  keyId?: string;
  signedBy?: string | null;
}

function isPublished(key: unknown): key is Published {
  const { vkey, keyId, signedBy } = (key ?? {}) as Record<string, unknown>;
  const isText = (value: unknown) => value === undefined || typeof value === 'string';
  return typeof vkey === 'string' && isText(keyId) && (signedBy === null || isText(signedBy));
}

/** A service's address, or that of the list itself. */
export async function publishedBy(address: string): Promise<TrustedServiceKey[]> {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`--keys-from ${address}: not an address`);
  const list = url.pathname.includes('/.well-known/')
    ? url
    : new URL(url.href.replace(/\/+$/, '') + KEYS_PATH);
  const response = await reach(list, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${list.href} answered ${response.status}`);
  const answer = (await response.json().catch(() => null)) as { keys?: unknown } | null;
  const published = answer?.keys;
  if (!Array.isArray(published) || !published.every(isPublished))
    throw new Error(`${list.href} is no list of keys`);
  return published.map((key) => ({ ...parseVerifierKey(key.vkey), isUnvouched: !isVouched(key, published) }));
}

/** A key that signed for itself because the one before it was lost, and whatever it signed for, has nobody behind it. */
function isVouched(key: Published, keys: Published[], seen: readonly string[] = []): boolean {
  if (key.signedBy === null) return false;
  if (key.signedBy === undefined || key.signedBy === key.keyId || seen.includes(key.signedBy)) return true;
  const signer = keys.find(({ keyId }) => keyId === key.signedBy);
  return signer === undefined || isVouched(signer, keys, [...seen, key.signedBy]);
}
