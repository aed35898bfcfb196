import { randomFillSync } from 'node:crypto';

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
