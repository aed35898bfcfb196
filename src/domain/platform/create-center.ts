import type { z } from 'zod';
import { doc } from '../../lib/doc.ts';
import { DomainError } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { requireFreshProof } from '../identity/fresh-proof.ts';
import { createPartnerCenterInput } from '../partners/create-center.ts';
import { DEFAULT_CENTER_PLAN } from '../plans/plans.ts';
import { createWithAdmin } from '../provisioning/create-with-admin.ts';
import { withProvisioningErrors } from '../provisioning/provision.ts';
import { slugCandidates, subdomainField } from '../provisioning/subdomain.ts';
import { transact } from '../unit-of-work.ts';

export const createCenterInput = createPartnerCenterInput.extend({
  domain: subdomainField
    .nullish()
    .meta(doc('The domain slug of the center. Default: derived from the name.', 'north-therapy')),
  planId: plainText(256)
    .min(1)
    .nullish()
    .meta(doc("The id of the center's initial plan, from `plans`. Default: the smallest.", 'center-starter')),
  partnerId: plainText(64)
    .nullish()
    .meta(doc('The id of the partner that the center belongs to, `ptn_…`. Default: none.', null)),
});

/** A platform admin creates a center, with or without a partner, and invites its administrator. */
export async function createCenter(ctx: Context, input: z.infer<typeof createCenterInput>) {
  await requireFreshProof(ctx);
  const { name, vertical, tenantType, adminEmail, timezone, domain } = input;
  const subdomains = domain ? [domain] : slugCandidates(name);
  return withProvisioningErrors(ctx, () =>
    transact.acrossTenants(ctx, async (work) => {
      const partnerId = input.partnerId ?? null;
      if (partnerId !== null && !(await work.db.partner.findUnique({ where: { id: partnerId } }))) {
        throw new DomainError('NOT_FOUND', 'Partner not found.');
      }
      return createWithAdmin(ctx, work, {
        name,
        subdomains,
        vertical,
        tenantType,
        partnerId,
        planId: input.planId ?? DEFAULT_CENTER_PLAN,
        adminEmail,
        timezone,
      });
    }),
  );
}
