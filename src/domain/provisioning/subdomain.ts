import anyAscii from 'any-ascii';
import { z } from 'zod';
import { randomToken } from '../../lib/crypto.ts';
import { doc } from '../../lib/doc.ts';
import type { Context } from '../context.ts';

/** Addresses that belong to the service itself or could be mistaken for it. */
const RESERVED = new Set(
  `about account accounts admin administrator api app apps assets auth billing blog cdn center centers cms console
   dashboard demo dev docs download email erp files ftp graphql health help host http https id images img imap
   info internal js lms localhost login logout mail media metrics monitor news null partner partners pay payment
   payments pop privacy proof public register root schema schemas secure security server settings shop signin
   signup smtp sso staging static stats status store support system team terms test undefined upload user users
   verify web webhook webhooks webmail whitelabel wiki www www1 www2`.split(/\s+/),
);

const FORM = /^[a-z0-9-]{3,30}$/;
const LONGEST_SUBDOMAIN = 30;

/** Digits alone would read as a center's number in a path. */
export function isReserved(subdomain: string): boolean {
  return RESERVED.has(subdomain) || /^\d+$/.test(subdomain);
}

export const subdomainField = z.string().refine((text) => FORM.test(text), {
  message: 'must be 3 to 30 lowercase letters, digits or hyphens',
  params: { code: 'INVALID_SUBDOMAIN' },
});

export const checkSubdomainInput = z.object({
  subdomain: subdomainField.meta(
    doc('The domain slug to check: 3 to 30 lowercase letters, digits or hyphens.', 'north-clinic'),
  ),
});

/** Whether a center could be created under this name now. */
export async function isSubdomainFree({ app }: Context, subdomain: string): Promise<boolean> {
  if (isReserved(subdomain)) return false;
  const taken = await app.db.acrossTenants.center.findUnique({
    where: { centerDomain: subdomain },
    select: { id: true },
  });
  return taken === null;
}

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
