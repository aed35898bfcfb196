import { z } from 'zod';
import { TenantType, Vertical } from '../../db/generated/prisma/enums.ts';
import { doc } from '../../lib/doc.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { DEFAULT_CENTER_PLAN } from '../plans/plans.ts';
import { emailField } from '../provisioning/admin.ts';
import { createWithAdmin } from '../provisioning/create-with-admin.ts';
import { withProvisioningErrors } from '../provisioning/provision.ts';
import { newCenterZone } from '../provisioning/set-up-center.ts';
import { slugCandidates } from '../provisioning/subdomain.ts';
import { transact } from '../unit-of-work.ts';
import { currentPartnerId } from './partner-access.ts';

export const createPartnerCenterInput = z.object({
  name: plainText(256)
    .trim()
    .min(1)
    .meta(
      doc(
        'The name that people see, 1 to 256 characters. The domain slug is derived from it.',
        'Demo Rehabilitation',
      ),
    ),
  tenantType: z.enum(TenantType).exclude(['PROGRAM']).meta(doc('What kind of tenant to create.', 'CENTER')),
  vertical: z.enum(Vertical).describe('The line of business of the center.'),
  adminEmail: emailField.meta(
    doc('The email address of the administrator, who is invited by mail.', 'kim@clinic.example'),
  ),
  timezone: newCenterZone,
});

/** Creates a center of the partner and invites its administrator. Its slug comes from its name. */
export async function createPartnerCenter(ctx: Context, input: z.infer<typeof createPartnerCenterInput>) {
  const partnerId = currentPartnerId(ctx);
  const { name, vertical, tenantType, adminEmail, timezone } = input;
  const draft = { name, subdomains: slugCandidates(name), vertical, tenantType, partnerId, timezone };
  return withProvisioningErrors(ctx, () =>
    transact.acrossTenants(ctx, (work) =>
      createWithAdmin(ctx, work, { ...draft, planId: DEFAULT_CENTER_PLAN, adminEmail }),
    ),
  );
}
