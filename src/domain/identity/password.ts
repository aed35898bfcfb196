import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { makeSemaphore } from '../../lib/semaphore.ts';

/** argon2id with 19 MiB and two passes, the minimum recommended by password storage guides. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashing occupies a core. Without a limit, a burst of sign-ins would starve everything else of threads. */
const semaphore = makeSemaphore(Math.max(1, Math.min(3, availableParallelism() - 1)));

/** How many accounts with the same email or phone are tried. */
export const MAX_TRIES = 5;

const filler = (bytes: number) => Buffer.alloc(bytes).toString('base64').replace(/=+$/, '');

/** A well-formed hash that no password matches. Checking it takes as long as checking a real one. */
const DUMMY_HASH =
  `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}` +
  `$${filler(16)}$${filler(32)}`;

export function hashPassword(password: string): Promise<string> {
  return semaphore(() => hash(password, cost));
}

/**
 * The index of the first hash that the password matches, or -1. A failure always costs the same number of checks, so its
 * timing reveals neither whether an account exists nor how many share its address.
 */
export async function findMatch(hashes: readonly string[], password: string): Promise<number> {
  for (let place = 0; place < MAX_TRIES; place++) {
    const fits = await semaphore(() => verify(hashes[place] ?? DUMMY_HASH, password));
    if (fits && place < hashes.length) return place;
  }
  return -1;
}
