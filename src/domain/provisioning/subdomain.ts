import { z } from 'zod';
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
export const LONGEST_SUBDOMAIN = 30;

/** Digits alone would read as a center's number in a path. */
export function isReserved(subdomain: string): boolean {
  return RESERVED.has(subdomain) || /^\d+$/.test(subdomain);
}

export const subdomainField = z.string().refine((text) => FORM.test(text), {
  message: 'must be 3 to 30 lowercase letters, digits or hyphens',
  params: { code: 'INVALID_SUBDOMAIN' },
});

export const checkSubdomainInput = z.object({
  subdomain: subdomainField.meta(doc('3 to 30 lowercase letters, digits and hyphens.', 'north-clinic')),
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
