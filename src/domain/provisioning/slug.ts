import anyAscii from 'any-ascii';
import { randomToken } from '../../lib/crypto.ts';
import { isReserved, LONGEST_SUBDOMAIN } from './subdomain.ts';

const SHORTEST = 3;
/** Room for a number or a random suffix. */
const LONGEST_BASE = LONGEST_SUBDOMAIN - 7;

/** A name in any script as a domain slug: `Café Nord` is `cafe-nord`. */
export function slugOf(name: string): string {
  const words = anyAscii(name)
    .toLowerCase()
    .replace(/'/g, '')
    .replace(/[^a-z0-9]+/g, '-');
  const base = words
    .slice(0, LONGEST_BASE + 1)
    .replace(/^-+|-+$/g, '')
    .slice(0, LONGEST_BASE)
    .replace(/-+$/, '');
  if (base === '') return 'center';
  return base.length < SHORTEST || isReserved(base) ? `${base}-center` : base;
}

const NUMBERED = 9;
const RANDOM = 5;

/** Slugs to try in order until one is free: the plain one, a few numbered ones, then random ones. */
export function* slugCandidates(name: string): Generator<string> {
  const base = slugOf(name);
  if (!isReserved(base)) yield base;
  for (let number = 2; number <= NUMBERED; number++) yield `${base}-${number}`;
  for (let i = 0; i < RANDOM; i++) {
    yield `${base}-${randomToken(12)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
      .padEnd(6, '0')
      .slice(0, 6)}`;
  }
}
