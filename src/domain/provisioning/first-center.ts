import { z } from 'zod';
import { Vertical } from '../../db/generated/prisma/enums.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { normalizeEmail } from '../identity/normalize.ts';
import { inviteTo } from '../memberships/invitation.ts';
import { DEFAULT_CENTER_PLAN, requireCenterPlan } from '../plans/plans.ts';
import { transact } from '../unit-of-work.ts';
import { emailField } from './admin.ts';
import { setUpCenter } from './set-up-center.ts';
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
  { domain, name, vertical, admin, plan }: z.infer<typeof firstCenterInput>,
) {
  return transact.acrossTenants(ctx, async (work) => {
    const { center } = await setUpCenter(
      work,
      {
        name,
        subdomains: [domain],
        vertical,
        tenantType: 'CENTER',
        partnerId: null,
        plan: await requireCenterPlan(work.db, plan),
      },
      ctx.now,
    );
    const email = normalizeEmail(admin);
    const membership = await inviteTo(ctx, work, {
      centerId: center.id,
      invitee: { email, name: null },
      role: 'ADMIN',
    });
    return {
      center: { id: center.id, name: center.name, centerDomain: center.centerDomain },
      admin: { email, membershipId: membership.id, status: membership.status },
    };
  });
}
