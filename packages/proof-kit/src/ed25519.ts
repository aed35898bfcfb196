/**
 * Ed25519 by one exact profile. Runtimes accept different sets of unusual encodings, so these are rejected before the
 * signature is verified: non-canonical points, points of small order, and scalars beyond the group order.
 */
import { type Bytes, equalBytes, fromHex } from './bytes.ts';

const ED25519 = 'Ed25519';
const ED25519_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** Little-endian. */
const FIELD = fromHex('edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f');
const ORDER = fromHex('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010');
/** The y coordinates of the eight points whose order divides 8. */
const SMALL_ORDER = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
].map(fromHex);

function isBelow(value: Uint8Array, limit: Uint8Array): boolean {
  for (let i = limit.length - 1; i >= 0; i--) if (value[i] !== limit[i]) return value[i]! < limit[i]!;
  return false;
}

/** Whether 32 bytes can be a key or the point of a signature. The runtime checks that they are on the curve. */
export function isAllowedPoint(bytes: Uint8Array): boolean {
  if (bytes.length !== ED25519_KEY_BYTES) return false;
  // A real copy, because slice() of a Buffer shares its memory.
  const y = Uint8Array.from(bytes);
  y[31]! &= 0x7f;
  return isBelow(y, FIELD) && !SMALL_ORDER.some((small) => equalBytes(small, y));
}

function isAllowedSignature(signature: Uint8Array): boolean {
  return (
    signature.length === SIGNATURE_BYTES &&
    isAllowedPoint(signature.subarray(0, 32)) &&
    isBelow(signature.subarray(32), ORDER)
  );
}

async function importKey(publicKey: Uint8Array) {
  return globalThis.crypto.subtle.importKey('raw', Uint8Array.from(publicKey), ED25519, false, ['verify']);
}

/** Runs only after a key was rejected, to distinguish a bad key from a runtime without Ed25519 or without a secure origin. */
async function isSupported(): Promise<boolean> {
  // The encoding of the curve's base point: a key that every implementation accepts.
  const basePoint = new Uint8Array(ED25519_KEY_BYTES).fill(0x66);
  basePoint[0] = 0x58;
  return importKey(basePoint).then(
    () => true,
    () => false,
  );
}

/** Whether the key made this signature over these bytes. */
export async function verifyEd25519(
  publicKey: Uint8Array,
  signature: Bytes,
  message: Bytes,
): Promise<'valid' | 'invalid' | 'unsupported'> {
  if (!isAllowedPoint(publicKey) || !isAllowedSignature(signature)) return 'invalid';
  try {
    const imported = await importKey(publicKey);
    const isValid = await globalThis.crypto.subtle.verify(ED25519, imported, signature, message);
    return isValid ? 'valid' : 'invalid';
  } catch {
    return (await isSupported()) ? 'invalid' : 'unsupported';
  }
}
