/** The subset of DER that keys and signatures need. Each value has one encoding: anything that could be shorter is rejected. */
import { type Bytes, concatBytes, equalBytes, fromHex, toHex } from './bytes.ts';
import { isAllowedPoint } from './ed25519.ts';

export type KeyKind = 'p256' | 'ed25519' | 'rsa';

/** SubjectPublicKeyInfo of an uncompressed point on P-256, up to the point's 65 bytes. */
const P256_PREFIX = fromHex('3059301306072a8648ce3d020106082a8648ce3d030107034200');
const ED25519_PREFIX = fromHex('302a300506032b6570032100');
const RSA_ALGORITHM = fromHex('300d06092a864886f70d0101010500');

const startsWith = (bytes: Uint8Array, prefix: Uint8Array): boolean =>
  equalBytes(bytes.subarray(0, prefix.length), prefix);

/**
 * The kind of a key in SPKI form; null for every other key and for every other encoding. Says nothing about the factors of an
 * RSA modulus: see `isSoundModulus`.
 */
export function keyKind(spki: Uint8Array): KeyKind | null {
  if (startsWith(spki, P256_PREFIX)) return isP256Point(spki.subarray(P256_PREFIX.length)) ? 'p256' : null;
  if (startsWith(spki, ED25519_PREFIX))
    return isAllowedPoint(spki.subarray(ED25519_PREFIX.length)) ? 'ed25519' : null;
  return isRsaKey(spki) ? 'rsa' : null;
}

const P256_FIELD = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const P256_B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

export const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes)}`);

/** An uncompressed point: 04, x, y. */
function isP256Point(point: Uint8Array): boolean {
  if (point.length !== 65 || point[0] !== 4) return false;
  const [x, y] = [toNumber(point.subarray(1, 33)), toNumber(point.subarray(33))];
  if (x >= P256_FIELD || y >= P256_FIELD) return false;
  return (y * y - (x * x * x - 3n * x + P256_B)) % P256_FIELD === 0n;
}

const RSA_EXPONENT = Uint8Array.of(1, 0, 1);
const RSA_BYTES = { least: 256, most: 1024 };
/** After SEQUENCE, algorithm, BIT STRING, SEQUENCE and INTEGER, each with a length in two bytes. */
const RSA_MODULUS_AT = 4 + RSA_ALGORITHM.length + 5 + 4 + 4;

/** Reads the modulus, encodes the key again from it and compares, so each key has one encoding. */
function isRsaKey(spki: Uint8Array): boolean {
  if (spki.length > RSA_BYTES.most + 64) return false;
  if (spki[RSA_MODULUS_AT - 4] !== 0x02 || spki[RSA_MODULUS_AT - 3] !== 0x82) return false;
  const modulus = rsaModulus(spki);
  const bits = modulus.length * 8 - Math.clz32(modulus[0] ?? 0) + 24;
  if (bits < RSA_BYTES.least * 8 || bits > RSA_BYTES.most * 8 || modulus.at(-1)! % 2 === 0) return false;
  return equalBytes(spki, rsaSpki(modulus, RSA_EXPONENT));
}

/** The modulus of an RSA key in SPKI form, without leading zeros. */
export function rsaModulus(spki: Uint8Array): Uint8Array {
  const length = spki[RSA_MODULUS_AT - 2]! * 256 + spki[RSA_MODULUS_AT - 1]!;
  const written = spki.subarray(RSA_MODULUS_AT, RSA_MODULUS_AT + length);
  return written[0] === 0 ? written.subarray(1) : written;
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

/** The SPKI form of an RSA key, from modulus and exponent, big-endian. */
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

/** Converts an ECDSA signature from WebAuthn's form, SEQUENCE {r, s}, to the 64 bytes of Web Crypto; null if it is invalid. */
export function joinedSignature(der: Uint8Array): Bytes | null {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return null;
  const r = integerAt(der, 2);
  if (r === null) return null;
  const s = integerAt(der, r.end);
  if (s === null || s.end !== der.length) return null;
  if (![r, s].every(({ value }) => toNumber(value) > 0n && toNumber(value) < P256_ORDER)) return null;
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
