import type { Db, Tx } from '../../db/database.ts';
import { DomainError } from '../../lib/errors.ts';
import { noSuchCenter } from '../centers/find.ts';
import type { Context } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import type { SubscriptionRow } from './view.ts';

/** The subscription of a center that the caller looks after (a partner its own, the platform all), locked until the commit. */
export async function lockSubscription(ctx: Context, tx: Tx, centerId: number): Promise<SubscriptionRow> {
  await requireOwnCenter(ctx, tx, centerId);
  await tx.$queryRaw`SELECT id FROM subscription WHERE center_id = ${centerId} FOR UPDATE`;
  const subscription = await tx.subscription.findUnique({ where: { centerId }, include: { plan: true } });
  if (!subscription) throw new DomainError('NOT_FOUND', 'This center has no subscription.');
  return subscription;
}

/** The subscription of a center that the caller looks after. */
export async function subscriptionOf(ctx: Context, centerId: number): Promise<SubscriptionRow> {
  const db = ctx.app.db.acrossTenants;
  await requireOwnCenter(ctx, db, centerId);
  const subscription = await db.subscription.findUnique({ where: { centerId }, include: { plan: true } });
  if (!subscription) throw new DomainError('NOT_FOUND', 'This center has no subscription.');
  return subscription;
}

async function requireOwnCenter(ctx: Context, db: Db | Tx, centerId: number): Promise<void> {
  const { platformAdmin, partner } = currentActor(ctx);
  const own = platformAdmin ? {} : { partnerId: partner?.id ?? '' };
  const found = await db.center.findFirst({ where: { id: centerId, ...own }, select: { id: true } });
  if (!found) throw noSuchCenter();
}
