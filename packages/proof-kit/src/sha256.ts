/**
 * Synchronous SHA-256. Web Crypto offers the same digest, but only asynchronously and on secure origins. A synchronous one
 * keeps every tree function simple, and lets a page opened over plain http verify hashes too. On the server, callers with much
 * to hash pass the native digest instead: see `Digest`.
 */
import { sha256 as digest } from '@noble/hashes/sha2.js';
import type { Bytes } from './bytes.ts';

/** Any function from bytes to their 32-byte SHA-256; lets the server plug in its native one. */
export type Digest = (data: Uint8Array) => Uint8Array;

export const sha256 = (data: Uint8Array): Bytes => digest(data);
