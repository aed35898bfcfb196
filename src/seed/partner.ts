import type { App } from '../app.ts';
import type { Actor, Center } from '../db/generated/prisma/client.ts';
import { recordPayment } from '../domain/subscriptions/payments.ts';
import { newId } from '../lib/ids.ts';
import { accounts } from './accounts.ts';
import { partnerContext } from './principals.ts';

/** The id of the partner that owns the demo centers. */
export async function ensurePartner({ db }: App, actors: Map<string, Actor>): Promise<string> {
  const staff = accounts.flatMap(({ email, partnerRole }) =>
    partnerRole ? [{ actorId: actors.get(email)!.id, role: partnerRole }] : [],
  );
  const known = await db.acrossTenants.partnerMembership.findFirst({
    where: { actorId: { in: staff.map(({ actorId }) => actorId) } },
    orderBy: { createdAt: 'asc' },
  });
  if (known) return known.partnerId;
  const partner = await db.acrossTenants.partner.create({
    data: {
      id: newId('ptn'),
      name: 'Demo Partner Group',
      settings: {
        branding: { primaryColor: '#0f5c5c', logo: '', tagline: 'Decisions you can prove' },
        features: { booking: true, proofPage: true, workflows: true },
      },
      memberships: { createMany: { data: staff } },
    },
  });
  return partner.id;
}

/** A first payment, so that the dashboard shows revenue. A reference counts once, however often it is seeded. */
export async function ensurePayment(
  app: App,
  actors: Map<string, Actor>,
  partnerId: string,
  center: Center,
): Promise<void> {
  const ctx = partnerContext(app, actors.get('partner@demo.test')!, { id: partnerId, role: 'PARTNER_ADMIN' });
  const db = app.db.forCenter(center.id);
  const subscription = await db.subscription.findUnique({
    where: { centerId: center.id },
    include: { plan: true },
  });
  if (!subscription || (await db.payment.count()) > 0) return;
  await recordPayment(ctx, {
    centerId: center.id,
    reference: 'demo-payment-1',
    amount: subscription.plan.priceMonthly,
  });
}
