import { z } from 'zod';
import { Vertical } from '../../db/generated/prisma/enums.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { DEFAULT_CENTER_PLAN } from '../plans/plans.ts';
import { transact } from '../unit-of-work.ts';
import { emailField } from './admin.ts';
import { createWithAdmin } from './create-with-admin.ts';
import { subdomainField } from './subdomain.ts';

export const firstCenterInput = z.object({
  domain: subdomainField,
  name: plainText(256).trim().min(1),
  vertical: z.enum(Vertical),
  admin: emailField,
  plan: plainText(256).min(1).default(DEFAULT_CENTER_PLAN),
});

/** Creates a center that belongs to no partner, and invites its administrator by mail. */
export async function createFirstCenter(
  ctx: Context,
  { domain, name, vertical, admin: adminEmail, plan: planId }: z.infer<typeof firstCenterInput>,
) {
  return transact.acrossTenants(ctx, async (work) => {
    const draft = { name, subdomains: [domain], vertical, tenantType: 'CENTER' as const, partnerId: null };
    const { center, admin } = await createWithAdmin(ctx, work, { ...draft, planId, adminEmail });
    return { center: { id: center.id, name: center.name, centerDomain: center.centerDomain }, admin };
  });
}
