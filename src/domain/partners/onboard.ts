import { z } from 'zod';
import { Vertical } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { requireCenterPlan } from '../plans/plans.ts';
import { orProvisioningFailed } from '../provisioning/failure.ts';
import { addAdmin, emailField, findOrCreateAdmin } from '../provisioning/people.ts';
import { setUpCenter } from '../provisioning/set-up-center.ts';
import { subdomainField } from '../provisioning/subdomain.ts';
import { transact, type Work } from '../unit-of-work.ts';

const name = plainText(256).trim().min(1);

export const onboardPartnerInput = z.object({
  partnerName: name,
  centerName: name,
  subdomain: subdomainField,
  vertical: z.enum(Vertical),
  planId: plainText(256).min(1),
  adminEmail: emailField,
  adminName: name,
});

export type OnboardPartnerInput = z.infer<typeof onboardPartnerInput>;

/** Takes a new partner on: the partner, its first center, and the person who runs both. */
export async function onboardPartner(ctx: Context, input: OnboardPartnerInput) {
  return orProvisioningFailed(ctx, () =>
    transact(
      ctx,
      async (work) => {
        const plan = await requireCenterPlan(work.db, input.planId);
        const { partner, actor } = await createPartner(ctx, work, input);
        const { center } = await setUpCenter(
          work,
          {
            name: input.centerName,
            subdomains: [input.subdomain],
            vertical: input.vertical,
            tenantType: 'CENTER',
            partnerId: partner.id,
            plan,
          },
          ctx.now,
        );
        const membership = await addAdmin(work, center.id, actor.id, 'ACTIVE', ctx.now);
        return { partner, center, actor, membership };
      },
      { acrossTenants: true },
    ),
  );
}

async function createPartner(ctx: Context, work: Work, input: OnboardPartnerInput) {
  const actor = await findOrCreateAdmin(work.db, input.adminEmail, input.adminName, ctx.now);
  // A person works for one partner: a second one would be out of reach for them.
  const already = await work.db.partnerMembership.count({ where: { actorId: actor.id } });
  if (already > 0) throw new DomainError('CONFLICT', 'adminEmail: is an account of another partner already');
  const partner = await work.db.partner.create({
    data: { id: newId('ptn'), name: input.partnerName, createdAt: ctx.now },
  });
  await work.db.partnerMembership.create({
    data: { partnerId: partner.id, actorId: actor.id, role: 'PARTNER_ADMIN', createdAt: ctx.now },
  });
  work.audit({
    type: 'partner.onboarded',
    centerId: null,
    partnerId: partner.id,
    target: partner.id,
    detail: { name: partner.name, admin: actor.id },
  });
  return { partner, actor };
}
