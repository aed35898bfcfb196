import { z } from 'zod';
import type { Context } from '../context.ts';
import { CURRENCY, listPlans } from '../plans/plans.ts';
import { day, month, readTallies, tallyKeys } from '../tallies/tally.ts';
import { currentPartnerId } from './partner-access.ts';

const monthBefore = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));

/** The partner's key figures, from counts alone, so the cost does not depend on the number of centers. */
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
  const counts = await readTallies(ctx.reads.declared([]), [
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

export const MOST_MONTHS = 36;
export const MOST_DAYS = 90;

export const monthsBack = z.int().min(1).max(MOST_MONTHS);
export const daysBack = z.int().min(1).max(MOST_DAYS);

export interface RevenueMonth {
  /** The first day of the month, in UTC. */
  month: string;
  amount: number;
  currency: string;
}

export interface ActivityDay {
  day: string;
  activePeople: number;
}

/** Monthly revenue, oldest first, including this month, from counts alone. */
export async function revenueByMonth(ctx: Context, months: number): Promise<RevenueMonth[]> {
  const partnerId = currentPartnerId(ctx);
  const [year, thisMonth] = [ctx.now.getUTCFullYear(), ctx.now.getUTCMonth()];
  const starts = Array.from(
    { length: months },
    (_, i) => new Date(Date.UTC(year, thisMonth - months + 1 + i, 1)),
  );
  const keyOf = (start: Date) => tallyKeys.revenueIn(partnerId, start);
  const counts = await readTallies(ctx.reads.declared([]), starts.map(keyOf));
  return starts.map((start) => ({
    month: `${month(start)}-01`,
    amount: counts.get(keyOf(start))!,
    currency: CURRENCY,
  }));
}

/** Daily active people in the partner's centers, oldest first, including today. */
export async function activityByDay(ctx: Context, days: number): Promise<ActivityDay[]> {
  const partnerId = currentPartnerId(ctx);
  const today = Date.parse(day(ctx.now));
  const dates = Array.from({ length: days }, (_, i) => new Date(today - (days - 1 - i) * 86_400_000));
  const keyOf = (date: Date) => tallyKeys.activeOn(partnerId, date);
  const counts = await readTallies(ctx.reads.declared([]), dates.map(keyOf));
  return dates.map((date) => ({ day: day(date), activePeople: counts.get(keyOf(date))! }));
}
