import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Vault } from '../../lib/crypto.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A fresh signing secret, in the form that users see and that the Standard Webhooks libraries take. */
export const newSecret = () => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Bound to its webhook, so that a stored secret is of no use in another row. */
const place = (webhookId: string) => `webhook:${webhookId}`;

export const sealSecret = (vault: Vault, secret: string, webhookId: string) =>
  vault.seal(secret, place(webhookId));

/** A secret ready to sign with, in the two readings that the two signatures take it in. */
export interface SigningKeys {
  /** The whole string as its user sees it: keys X-Service-Signature. */
  asShown: KeyObject;
  /** The bytes behind it: key the Standard Webhooks signature. */
  decoded: KeyObject;
}

function signingKeys(secret: string): SigningKeys {
  return {
    asShown: createSecretKey(secret, 'utf8'),
    decoded: createSecretKey(secret.slice(PREFIX.length), 'base64'),
  };
}

const KEYS_KEPT = 10_000;

/** Opens stored secrets, each only once: deciphering it and making keys of it costs more than signing with them. */
export function makeKeyring(vault: Vault) {
  // Encrypted secrets are unique, so the ciphertext itself is the key; after a rotation it is another one.
  const known = new LRUCache<string, SigningKeys>({ max: KEYS_KEPT });
  return (sealed: string, webhookId: string): SigningKeys => {
    const found = known.get(sealed);
    if (found) return found;
    const keys = signingKeys(vault.open(sealed, place(webhookId)));
    known.set(sealed, keys);
    return keys;
  };
}
