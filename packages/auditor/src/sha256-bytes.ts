import { hash } from 'node:crypto';

/** SHA-256 by OpenSSL, with the signature that the proof kit expects. */
export function sha256Bytes(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer');
}
