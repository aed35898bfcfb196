import type { Context } from '../context.ts';
import { CURRENCY, listPlans } from '../plans/plans.ts';
import { readTallies } from '../tallies/tally.ts';
import { tallyKeys } from '../tallies/tally-keys.ts';
import { currentPartnerId } from './partner-access.ts';

const monthBefore = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));

/** How the partner's business stands, from counts alone: the same effort for one center and for a hundred thousand. */
export async function partnerDashboard(ctx: Context) {
  const partnerId = currentPartnerId(ctx);
  const plans = await listPlans(ctx, 'CENTER');
  const keys = {
    centers: tallyKeys.partnerCenters(partnerId),
    members: tallyKeys.partnerMembers(partnerId),
    active: tallyKeys.activeOn(partnerId, ctx.now),
    thisMonth: tallyKeys.revenueIn(partnerId, ctx.now),
    lastMonth: tallyKeys.revenueIn(partnerId, monthBefore(ctx.now)),
  };
  const paying = plans.map((plan) => ({ plan, key: tallyKeys.payingFor(partnerId, plan.id) }));
  const counts = await readTallies(ctx.app.db.pool, [
    ...Object.values(keys),
    ...paying.map(({ key }) => key),
  ]);
  const count = (key: string) => counts.get(key)!;
  return {
    totalCenters: count(keys.centers),
    totalMembers: count(keys.members),
    activeToday: count(keys.active),
    revenue: {
      currency: CURRENCY,
      monthToDate: count(keys.thisMonth),
      lastMonth: count(keys.lastMonth),
      recurringMonthly: paying.reduce((sum, { plan, key }) => sum + plan.priceMonthly * count(key), 0),
    },
  };
}
