/** An Ed25519 key from a fixed seed, so that vectors come out the same every time. It guards nothing. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { NoteKey } from '@countersign/proof-kit';

const PKCS8_ED25519 = '302e020100300506032b657004220420';

export interface Signer {
  publicKey: Uint8Array;
  keyNamed(name: string): NoteKey;
  sign(bytes: Uint8Array): Uint8Array;
}

export function signerFromSeed(seedByte: number): Signer {
  const seed = Buffer.alloc(32, seedByte);
  const privateKey = createPrivateKey({
    key: Buffer.concat([Buffer.from(PKCS8_ED25519, 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const publicKey = new Uint8Array(spki.subarray(-32));
  return {
    publicKey,
    keyNamed: (name) => ({ name, publicKey }),
    sign: (bytes) => new Uint8Array(sign(null, bytes, privateKey)),
  };
}
