import { hash } from 'node:crypto';

/** SHA-256 by OpenSSL, in the form the proof kit takes it. */
export function sha256Bytes(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer');
}
