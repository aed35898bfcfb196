import { parseVerifierKey, type TrustedKey } from '../../proof-kit/index.ts';
import { type Options, UsageError } from './options.ts';

const KEYS_PATH = '/.well-known/countersign-keys.txt';
/** 32 bytes in base64. */
const BARE_KEY = /^[A-Za-z0-9+/]{43}=$/;

/** The keys the caller trusts; undefined when none was named, so that documents may bring their own. */
export async function collectKeys(
  options: Pick<Options, 'keys' | 'keysFrom'>,
): Promise<TrustedKey[] | undefined> {
  const { keys, keysFrom } = options;
  if (keys.length + keysFrom.length === 0) return undefined;
  const published = await Promise.all(keysFrom.map(publishedBy));
  return [...keys, ...published.flat()].map(readKey);
}

/**
 * A verifier key line, or a bare key. A line that names a chain is trusted for that chain alone; one that names a
 * service, as services publish them, for all its chains.
 */
export function readKey(text: string): TrustedKey {
  if (BARE_KEY.test(text)) return { publicKey: text };
  try {
    const { name, publicKey } = parseVerifierKey(text);
    const key = { publicKey: Buffer.from(publicKey).toString('base64') };
    return name.includes('/chains/') ? { ...key, name } : key;
  } catch {
    throw new UsageError(`--key ${text}: neither a verifier key nor an Ed25519 key in base64`);
  }
}

/** A service's address, or that of the list itself. */
export async function publishedBy(address: string): Promise<string[]> {
  if (!URL.canParse(address)) throw new UsageError(`--keys-from ${address}: not an address`);
  const url = new URL(address);
  const list = url.pathname.includes('/.well-known/')
    ? url
    : new URL(url.href.replace(/\/+$/, '') + KEYS_PATH);
  const response = await fetch(list, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${list.href} answered ${response.status}`);
  const text = await response.text();
  return list.pathname.endsWith('.json')
    ? (JSON.parse(text) as { keys: { vkey: string }[] }).keys.map(({ vkey }) => vkey)
    : text.split('\n').filter((line) => line !== '');
}
