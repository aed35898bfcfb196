/**
 * SHA-256 (FIPS 180-4) in plain TypeScript.
 *
 * Web Crypto offers the same digest, but only asynchronously and only on secure origins. A synchronous one keeps
 * every tree function an ordinary function, and lets a page opened over plain http verify hashes as well. On the
 * server, callers with much to hash pass the native digest instead: see `Digest`.
 */
import type { Bytes } from './bytes.ts';

/** Anything that maps bytes to their 32-byte SHA-256; lets the server plug in its native one. */
export type Digest = (data: Uint8Array) => Uint8Array;

const BLOCK_BYTES = 64;
const LENGTH_FIELD_BYTES = 8;

/** The first 32 bits of the fractional part of a root of each of the first primes, as the standard defines them. */
function primeRootBits(count: number, root: (prime: number) => number): Uint32Array {
  const words = new Uint32Array(count);
  for (let candidate = 2, found = 0; found < count; candidate++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) {
      if (candidate % divisor === 0) isPrime = false;
    }
    if (isPrime) words[found++] = (root(candidate) % 1) * 2 ** 32;
  }
  return words;
}

const INITIAL_STATE = primeRootBits(8, Math.sqrt);
const ROUND_CONSTANTS = primeRootBits(64, Math.cbrt);

function rotateRight(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** The message, a 1 bit, zeros up to a whole number of blocks, and the message's length in bits. */
function padded(data: Uint8Array): DataView {
  const blocks = Math.ceil((data.length + 1 + LENGTH_FIELD_BYTES) / BLOCK_BYTES);
  const bytes = new Uint8Array(blocks * BLOCK_BYTES);
  bytes.set(data);
  bytes[data.length] = 0x80;
  const view = new DataView(bytes.buffer);
  const lengthAt = bytes.length - LENGTH_FIELD_BYTES;
  view.setUint32(lengthAt, Math.floor(data.length / 2 ** 29));
  view.setUint32(lengthAt + 4, data.length << 3);
  return view;
}

function fillSchedule(schedule: Uint32Array, message: DataView, blockAt: number): void {
  for (let t = 0; t < 16; t++) schedule[t] = message.getUint32(blockAt + 4 * t);
  for (let t = 16; t < 64; t++) {
    const early = schedule[t - 15]!;
    const late = schedule[t - 2]!;
    const small0 = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3);
    const small1 = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10);
    schedule[t] = schedule[t - 16]! + small0 + schedule[t - 7]! + small1;
  }
}

function compress(state: Uint32Array, schedule: Uint32Array): void {
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let t = 0; t < 64; t++) {
    const big1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + big1 + choice + ROUND_CONSTANTS[t]! + schedule[t]!) | 0;
    const big0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + big0 + majority) | 0;
  }
  // Typed-array stores wrap modulo 2^32, which is the addition the standard asks for.
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}

export function sha256(data: Uint8Array): Bytes {
  const message = padded(data);
  const state = INITIAL_STATE.slice();
  const schedule = new Uint32Array(64);
  for (let blockAt = 0; blockAt < message.byteLength; blockAt += BLOCK_BYTES) {
    fillSchedule(schedule, message, blockAt);
    compress(state, schedule);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => {
    digest.setUint32(4 * i, word);
  });
  return new Uint8Array(digest.buffer);
}
