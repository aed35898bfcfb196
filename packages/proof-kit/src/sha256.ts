/**
 * SHA-256, synchronous. Web Crypto offers the same digest, but only asynchronously and only on secure origins. A synchronous
 * one keeps every tree function an ordinary function, and lets a page opened over plain http verify hashes as well. On the
 * server, callers with much to hash pass the native digest instead: see `Digest`.
 */
import { sha256 as digest } from '@noble/hashes/sha2.js';
import type { Bytes } from './bytes.ts';

/** Anything that maps bytes to their 32-byte SHA-256; lets the server plug in its native one. */
export type Digest = (data: Uint8Array) => Uint8Array;

export const sha256 = (data: Uint8Array): Bytes => digest(data);
