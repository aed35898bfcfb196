import { z } from 'zod';
import { Vertical } from '../../db/generated/prisma/enums.ts';
import { doc } from '../../lib/doc.ts';
import { newId } from '../../lib/ids.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { normalizeEmail } from '../identity/normalize.ts';
import { inviteTo } from '../memberships/invitation.ts';
import { requireCenterPlan } from '../plans/plans.ts';
import { emailField } from '../provisioning/admin.ts';
import { withProvisioningErrors } from '../provisioning/provision.ts';
import { newCenterZone, setUpCenter } from '../provisioning/set-up-center.ts';
import { subdomainField } from '../provisioning/subdomain.ts';
import { transact } from '../unit-of-work.ts';

const name = plainText(256).trim().min(1);

export const onboardPartnerInput = z.object({
  partnerName: name.meta(
    doc('The name of the partner that people see, 1 to 256 characters.', 'Northern Clinics'),
  ),
  centerName: name.meta(
    doc('The name of the first center that people see, 1 to 256 characters.', 'Demo Rehabilitation'),
  ),
  subdomain: subdomainField.meta(
    doc('The domain slug of the center: 3 to 30 lowercase letters, digits or hyphens.', 'north-therapy'),
  ),
  vertical: z.enum(Vertical).describe('The line of business of the center.'),
  planId: plainText(256)
    .min(1)
    .meta(doc("The id of the center's initial plan, from `plans`.", 'center-growth')),
  adminEmail: emailField.meta(
    doc('The email address of the administrator, who is invited by mail.', 'kim@clinic.example'),
  ),
  adminName: name.meta(
    doc('The name of the administrator, until the person accepts; 1 to 256 characters.', 'Kim Novak'),
  ),
  timezone: newCenterZone,
});

export type OnboardPartnerInput = z.infer<typeof onboardPartnerInput>;

/**
 * Onboards a partner: creates the partner and its first center, and invites the person who will run both. They become an
 * account of the partner when they accept.
 */
export async function onboardPartner(ctx: Context, input: OnboardPartnerInput) {
  return withProvisioningErrors(ctx, () =>
    transact.acrossTenants(ctx, async (work) => {
      const plan = await requireCenterPlan(work.db, input.planId);
      const partner = await work.db.partner.create({
        data: { id: newId('ptn'), name: input.partnerName, createdAt: ctx.now },
      });
      const { center } = await setUpCenter(
        work,
        {
          name: input.centerName,
          subdomains: [input.subdomain],
          vertical: input.vertical,
          tenantType: 'CENTER',
          partnerId: partner.id,
          plan,
          timezone: input.timezone,
        },
        ctx.now,
      );
      const email = normalizeEmail(input.adminEmail);
      const { adminName: name } = input;
      const membership = await inviteTo(ctx, work, {
        centerId: center.id,
        invitee: { email, name },
        role: 'ADMIN',
        partnerRole: 'PARTNER_ADMIN',
      });
      work.audit({
        type: 'partner.onboarded',
        centerId: null,
        partnerId: partner.id,
        target: partner.id,
        detail: { name: partner.name, admin: membership.id },
      });
      return { partner, center, admin: { email, name }, membership };
    }),
  );
}
