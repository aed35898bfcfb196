/** Keys from fixed seeds, so that vectors are reproducible. They protect nothing. */
import { checkPrimeSync, createECDH, createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { Bytes } from '@countersign/proof-kit/bytes';
import { ed25519Spki, p256Spki, rsaSpki } from '@countersign/proof-kit/der';

const PKCS8_ED25519 = '302e020100300506032b657004220420';

/** Signs checkpoints: a service or a witness. */
export interface NoteSigner {
  publicKey: Uint8Array;
  sign(bytes: Uint8Array): Uint8Array;
}

/** Signs approvals: a person's passkey. */
export interface Passkey {
  spki: Bytes;
  sign(bytes: Uint8Array): Uint8Array;
}

export function ed25519(seedByte: number): NoteSigner {
  const seed = Buffer.alloc(32, seedByte);
  const privateKey = createPrivateKey({
    key: Buffer.concat([Buffer.from(PKCS8_ED25519, 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return {
    publicKey: new Uint8Array(spki.subarray(-32)),
    sign: (bytes) => new Uint8Array(sign(null, bytes, privateKey)),
  };
}

export function ed25519Passkey(seedByte: number): Passkey {
  const { publicKey, sign } = ed25519(seedByte);
  return { spki: ed25519Spki(publicKey), sign };
}

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const toBytes = (value: bigint, length: number): Buffer =>
  Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex');

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** The public point of a private scalar, computed by the library. */
function point(scalar: bigint): { x: Uint8Array; y: Uint8Array } {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(toBytes(scalar, 32));
  const bytes = curve.getPublicKey();
  return { x: new Uint8Array(bytes.subarray(1, 33)), y: new Uint8Array(bytes.subarray(33)) };
}

function integer(value: bigint): Buffer {
  const digits = toBytes(value, Math.ceil(value.toString(16).length / 2));
  const body = digits[0]! >= 0x80 ? Buffer.concat([Buffer.of(0), digits]) : digits;
  return Buffer.concat([Buffer.of(0x02, body.length), body]);
}

/** ECDSA with a nonce derived from key and message, so signatures are reproducible. */
export function p256Passkey(seedByte: number): Passkey {
  const secret = toNumber(Buffer.alloc(32, seedByte)) % ORDER;
  const { x, y } = point(secret);
  return {
    spki: p256Spki(x, y),
    sign(bytes) {
      const digest = sha256(bytes);
      const nonce = toNumber(sha256('nonce', toBytes(secret, 32), digest)) % ORDER;
      const r = toNumber(point(nonce).x) % ORDER;
      const s = (power(nonce, ORDER - 2n, ORDER) * (toNumber(digest) + r * secret)) % ORDER;
      const body = Buffer.concat([integer(r), integer(s)]);
      return new Uint8Array(Buffer.concat([Buffer.of(0x30, body.length), body]));
    },
  };
}

/** The first prime of so many bits, with its two highest bits set, at or after the number derived from the name. */
function prime(name: string, bits = 1024): bigint {
  const blocks = Array.from({ length: Math.ceil(bits / 256) }, (_, i) => sha256(`${name} ${i}`));
  const start = toNumber(Buffer.concat(blocks)) >> BigInt(-bits & 255);
  let candidate = start | (3n << BigInt(bits - 2)) | 1n;
  while (!checkPrimeSync(candidate) || candidate % 65537n === 1n) candidate += 2n;
  return candidate;
}

const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/** RSASSA-PKCS1-v1_5 with SHA-256 and 2048 bits, as some platforms' authenticators use it. */
export const rsaPasskey = (name: string): Passkey => rsaPasskeyOf([prime(`${name} p`), prime(`${name} q`)]);

/** A key whose modulus is prime: anyone can compute its private key. */
export const primeModulusPasskey = (): Passkey => rsaPasskeyOf([prime('modulus', 2048)]);

/** A key of 2048 bits whose modulus has a factor of 16 or 17 bits. */
export const smallFactorPasskey = (factor: bigint): Passkey =>
  rsaPasskeyOf([factor, prime('large factor', 2032)]);

function rsaPasskeyOf(factors: bigint[]): Passkey {
  const modulus = factors.reduce((product, factor) => product * factor, 1n);
  const order = factors.reduce((product, factor) => product * (factor - 1n), 1n);
  const secret = inverse(65537n, order);
  return {
    spki: rsaSpki(toBytes(modulus, 256), Uint8Array.of(1, 0, 1)),
    sign(bytes) {
      const tail = Buffer.concat([Buffer.of(0), DIGEST_INFO, sha256(bytes)]);
      const padded = Buffer.concat([Buffer.of(0, 1), Buffer.alloc(254 - tail.length, 0xff), tail]);
      return new Uint8Array(toBytes(power(toNumber(padded), secret, modulus), 256));
    },
  };
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b] = [value % modulus, modulus];
  let [x, y] = [1n, 0n];
  while (b > 0n) {
    const quotient = a / b;
    [a, b] = [b, a - quotient * b];
    [x, y] = [y, x - quotient * y];
  }
  return ((x % modulus) + modulus) % modulus;
}
