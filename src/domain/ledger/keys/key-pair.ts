import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { Vault } from '../../../lib/crypto.ts';
import type { Verify } from '../notes/signatures.ts';

const RAW_BYTES = 32;
/** The RFC 8410 prefix before the 32 bytes. */
const SPKI_FRAME = Buffer.from('302a300506032b6570032100', 'hex');

const belongsTo = (publicKey: string) => `signing_key:${publicKey}`;

export interface KeyPair {
  /** The 32 bytes in base64. */
  publicKey: string;
  /** The encrypted private key. */
  sealed: string;
  sign(bytes: Uint8Array): Uint8Array;
}

export function makeKeyPair(vault: Vault): KeyPair {
  const { privateKey } = generateKeyPairSync('ed25519');
  const publicKey = rawPublicKey(privateKey);
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  return { publicKey, sealed: vault.seal(secret, belongsTo(publicKey)), sign: signWith(privateKey) };
}

/** Null if the private key cannot be decrypted with this service's secret, or does not match the public key. */
export function openKeyPair(vault: Vault, publicKey: string, sealed: string): KeyPair | null {
  try {
    const secret = Buffer.from(vault.open(sealed, belongsTo(publicKey)), 'base64');
    const privateKey = createPrivateKey({ key: secret, format: 'der', type: 'pkcs8' });
    return rawPublicKey(privateKey) === publicKey ? { publicKey, sealed, sign: signWith(privateKey) } : null;
  } catch {
    return null;
  }
}

/** Synchronous verification for frequent use: Web Crypto would add a promise per signature. */
export function verifierOf(publicKey: string): Verify {
  const key = createPublicKey({
    key: Buffer.concat([SPKI_FRAME, Buffer.from(publicKey, 'base64')]),
    format: 'der',
    type: 'spki',
  });
  return (message, signature) => verify(null, message, key, signature);
}

function rawPublicKey(privateKey: KeyObject): string {
  return createPublicKey(privateKey)
    .export({ format: 'der', type: 'spki' })
    .subarray(-RAW_BYTES)
    .toString('base64');
}

function signWith(privateKey: KeyObject): (bytes: Uint8Array) => Uint8Array {
  return (bytes) => new Uint8Array(sign(null, bytes, privateKey));
}
