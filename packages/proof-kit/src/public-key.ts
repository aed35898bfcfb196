/** Which public keys a passkey may have. A weak key proves nothing: anyone could have made its signatures. */
import { type KeyKind, keyKind } from './der.ts';

const P256_HEADER = 27; // up to and with the 04 of an uncompressed point
const ED25519_HEADER = 12;
const RSA_KEY_AT = 19; // SEQUENCE, algorithm, up to the BIT STRING
const RSA_EXPONENT = 65_537n;
const RSA_BITS = { least: 2_048, most: 8_192 };

/** Null for a valid key in SPKI form, otherwise a clause that describes the fault. */
export function publicKeyFault(spki: Uint8Array): string | null {
  const kind = keyKind(spki);
  return kind === null ? 'the kind of key is not supported' : faults[kind](spki);
}

const faults: Record<KeyKind, (spki: Uint8Array) => string | null> = {
  p256: (spki) => p256Fault(spki.subarray(P256_HEADER - 1)),
  ed25519: (spki) => ed25519Fault(spki.subarray(ED25519_HEADER)),
  rsa: rsaFault,
};

const numberOf = (bytes: Uint8Array): bigint =>
  bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, square] = [1n, base % modulus];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

const P256_PRIME = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const P256_B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

function p256Fault(point: Uint8Array): string | null {
  if (point[0] !== 4) return 'the point is not written uncompressed';
  const [x, y] = [numberOf(point.subarray(1, 33)), numberOf(point.subarray(33, 65))];
  if (x >= P256_PRIME || y >= P256_PRIME) return 'a coordinate is larger than the field';
  const isOnCurve = (y * y - x * x * x + 3n * x - P256_B) % P256_PRIME === 0n;
  return isOnCurve ? null : 'the point is not on the curve P-256';
}

const ED25519_PRIME = 2n ** 255n - 19n;
const ED25519_D = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n;
/** The y coordinates of the points whose order divides 8. */
const SMALL_ORDER = new Set([
  0n,
  1n,
  ED25519_PRIME - 1n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
]);

function ed25519Fault(key: Uint8Array): string | null {
  const y = numberOf(key.toReversed()) & ((1n << 255n) - 1n);
  if (y >= ED25519_PRIME) return 'the point is not written in its canonical form';
  if (SMALL_ORDER.has(y)) return 'the point has a small order';
  const p = ED25519_PRIME;
  const y2 = (y * y) % p;
  const x2 = ((y2 + p - 1n) * power((ED25519_D * y2 + 1n) % p, p - 2n, p)) % p;
  return power(x2, (p - 1n) / 2n, p) === 1n ? null : 'the point is not on the curve Ed25519';
}

function rsaFault(spki: Uint8Array): string | null {
  const outer = valueAt(spki, 0, 0x30);
  const bits = valueAt(spki, RSA_KEY_AT, 0x03);
  if (outer?.end !== spki.length || bits?.end !== spki.length || spki[bits.start] !== 0)
    return 'the key is not written in its shortest form';
  const key = valueAt(spki, bits.start + 1, 0x30);
  const modulus = key && valueAt(spki, key.start, 0x02);
  const exponent = modulus && valueAt(spki, modulus.end, 0x02);
  if (key?.end !== spki.length || exponent?.end !== spki.length)
    return 'the key is not written in its shortest form';
  const [n, e] = [integerOf(spki, modulus!), integerOf(spki, exponent)];
  if (n === null || e === null) return 'the key is not written in its shortest form';
  const size = n.toString(2).length;
  if (size < RSA_BITS.least || size > RSA_BITS.most)
    return `the modulus has ${size} bits instead of ${RSA_BITS.least} to ${RSA_BITS.most}`;
  if (e !== RSA_EXPONENT) return `the exponent is not ${RSA_EXPONENT}`;
  return n % 2n === 0n ? 'the modulus is even' : null;
}

interface Value {
  start: number;
  end: number;
}

/** The bounds of a tag's value; null if the tag or length differs, or could be shorter. */
function valueAt(der: Uint8Array, at: number, tag: number): Value | null {
  const first = der[at + 1];
  if (der[at] !== tag || first === undefined) return null;
  const extra = first < 0x80 ? 0 : first & 0x7f;
  if (extra > 2) return null;
  const length = extra === 0 ? first : Number(numberOf(der.subarray(at + 2, at + 2 + extra)));
  if (extra > 0 && length < (extra === 1 ? 0x80 : 0x100)) return null;
  const start = at + 2 + extra;
  return start + length <= der.length ? { start, end: start + length } : null;
}

/** A positive INTEGER in its shortest form. */
function integerOf(der: Uint8Array, { start, end }: Value): bigint | null {
  const [first, second] = [der[start], der[start + 1]];
  if (start === end || first! >= 0x80 || (first === 0 && end - start > 1 && second! < 0x80)) return null;
  return numberOf(der.subarray(start, end));
}
