/** The little of DER that keys and signatures need. One value has one form: whatever could be written shorter is refused. */
import { type Bytes, concatBytes, equalBytes, fromHex } from './bytes.ts';

export type KeyKind = 'p256' | 'ed25519' | 'rsa';

/** SubjectPublicKeyInfo of an uncompressed point on P-256, up to the point's 65 bytes. */
const P256_PREFIX = fromHex('3059301306072a8648ce3d020106082a8648ce3d030107034200');
const ED25519_PREFIX = fromHex('302a300506032b6570032100');
const RSA_ALGORITHM = fromHex('300d06092a864886f70d0101010500');

const startsWith = (bytes: Uint8Array, prefix: Uint8Array): boolean =>
  equalBytes(bytes.subarray(0, prefix.length), prefix);

/** Which of the supported kinds a key in SPKI form is. RSA keys are those with a length field of two bytes: 2048 bits and more. */
export function keyKind(spki: Uint8Array): KeyKind | null {
  if (spki.length === P256_PREFIX.length + 65 && startsWith(spki, P256_PREFIX)) return 'p256';
  if (spki.length === ED25519_PREFIX.length + 32 && startsWith(spki, ED25519_PREFIX)) return 'ed25519';
  const isLong = spki[0] === 0x30 && spki[1] === 0x82;
  if (isLong && startsWith(spki.subarray(4), RSA_ALGORITHM)) return 'rsa';
  return null;
}

/** The SPKI form of a point on P-256. */
export function p256Spki(x: Uint8Array, y: Uint8Array): Bytes {
  if (x.length !== 32 || y.length !== 32) throw new TypeError('a coordinate has 32 bytes');
  return concatBytes(P256_PREFIX, Uint8Array.of(4), x, y);
}

export function ed25519Spki(publicKey: Uint8Array): Bytes {
  if (publicKey.length !== 32) throw new TypeError('an Ed25519 key has 32 bytes');
  return concatBytes(ED25519_PREFIX, publicKey);
}

/** The SPKI form of an RSA key, from modulus and exponent, big end first. */
export function rsaSpki(modulus: Uint8Array, exponent: Uint8Array): Bytes {
  const key = tagged(0x30, concatBytes(unsigned(modulus), unsigned(exponent)));
  return tagged(0x30, concatBytes(RSA_ALGORITHM, tagged(0x03, concatBytes(Uint8Array.of(0), key))));
}

function tagged(tag: number, body: Uint8Array): Bytes {
  const { length } = body;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return concatBytes(Uint8Array.of(tag, ...size), body);
}

function unsigned(value: Uint8Array): Bytes {
  let start = 0;
  while (start < value.length - 1 && value[start] === 0) start++;
  const digits = value.subarray(start);
  return tagged(0x02, digits[0]! >= 0x80 ? concatBytes(Uint8Array.of(0), digits) : digits);
}

const COORDINATE = 32;

/** An ECDSA signature as WebAuthn writes it, SEQUENCE {r, s}, in the 64 bytes that Web Crypto takes; null when it is none. */
export function joinedSignature(der: Uint8Array): Bytes | null {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return null;
  const r = integerAt(der, 2);
  if (r === null) return null;
  const s = integerAt(der, r.end);
  if (s === null || s.end !== der.length) return null;
  return concatBytes(r.value, s.value);
}

/** A positive INTEGER of at most 256 bits, in its shortest form, padded to 32 bytes. */
function integerAt(der: Uint8Array, at: number): { value: Bytes; end: number } | null {
  const length = der[at + 1];
  if (der[at] !== 0x02 || length === undefined || length === 0) return null;
  const end = at + 2 + length;
  let digits = der.subarray(at + 2, end);
  if (end > der.length || digits[0]! >= 0x80) return null;
  if (digits[0] === 0 && digits.length > 1) {
    if (digits[1]! < 0x80) return null;
    digits = digits.subarray(1);
  }
  if (digits.length > COORDINATE) return null;
  return { value: concatBytes(new Uint8Array(COORDINATE - digits.length), digits), end };
}
