// What sealing with salted digests needs, by Node's own functions: the proof kit's also run in browsers, and are slower.
import { hash, randomFillSync } from 'node:crypto';
import type { SealTools } from '@countersign/proof-kit/disclosure';

const SALT_BYTES = 16;
/** Fetched in advance, because small requests cost more than the bytes. */
const store = Buffer.alloc(SALT_BYTES * 256);
let used = store.length;

/** 128 random bits in base64url. */
export function newSalt(): string {
  if (used === store.length) {
    randomFillSync(store);
    used = 0;
  }
  used += SALT_BYTES;
  return store.toString('base64url', used - SALT_BYTES, used);
}

/** Large enough for most texts, which avoids allocating a buffer. */
const scratch = Buffer.alloc(16_384);
const MOST_BYTES_A_CHARACTER = 3;

function encode(text: string): string {
  if (text.length * MOST_BYTES_A_CHARACTER > scratch.length) return Buffer.from(text).toString('base64url');
  return scratch.toString('base64url', 0, scratch.write(text));
}

/** How a server encodes and hashes disclosures; the salts come from the caller. */
export const sealTools = {
  encode,
  digest: (text: string) => hash('sha256', text, 'base64url'),
} satisfies Partial<SealTools>;
