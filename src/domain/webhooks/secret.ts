import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Vault } from '../../lib/crypto.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new signing secret, in the format shown to users and accepted by the Standard Webhooks libraries. */
export const newSecret = () => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Encryption is bound to the webhook, so a stored secret cannot be used in another row. */
const place = (webhookId: string) => `webhook:${webhookId}`;

export const sealSecret = (vault: Vault, secret: string, webhookId: string) =>
  vault.seal(secret, place(webhookId));

/** A secret ready for signing, in the forms that the two signatures need. */
export interface SigningKeys {
  /** The whole string as shown to the user: the key of X-Service-Signature. */
  asShown: KeyObject;
  /** The decoded bytes: the key of the Standard Webhooks signature. */
  decoded: KeyObject;
}

function signingKeys(secret: string): SigningKeys {
  return {
    asShown: createSecretKey(secret, 'utf8'),
    decoded: createSecretKey(secret.slice(PREFIX.length), 'base64'),
  };
}

const KEYS_KEPT = 10_000;

/** Decrypts stored secrets and caches the keys, because that costs more than signing. */
export function makeKeyring(vault: Vault) {
  // Ciphertexts are unique and change on rotation, so they serve as cache keys.
  const known = new LRUCache<string, SigningKeys>({ max: KEYS_KEPT });
  return (sealed: string, webhookId: string): SigningKeys => {
    const found = known.get(sealed);
    if (found) return found;
    const keys = signingKeys(vault.open(sealed, place(webhookId)));
    known.set(sealed, keys);
    return keys;
  };
}
