import { z } from 'zod';
import type { Context } from '../context.ts';
import { CURRENCY } from '../plans/plans.ts';
import { readTallies } from '../tallies/tally.ts';
import { day, month, tallyKeys } from '../tallies/tally-keys.ts';
import { currentPartnerId } from './partner-access.ts';

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

/** What came in month by month, oldest first, this month included: from counts alone. */
export async function revenueByMonth(ctx: Context, months: number): Promise<RevenueMonth[]> {
  const partnerId = currentPartnerId(ctx);
  const [year, thisMonth] = [ctx.now.getUTCFullYear(), ctx.now.getUTCMonth()];
  const starts = Array.from(
    { length: months },
    (_, i) => new Date(Date.UTC(year, thisMonth - months + 1 + i, 1)),
  );
  const keyOf = (start: Date) => tallyKeys.revenueIn(partnerId, start);
  const counts = await readTallies(ctx.app.db.pool, starts.map(keyOf));
  return starts.map((start) => ({
    month: `${month(start)}-01`,
    amount: counts.get(keyOf(start))!,
    currency: CURRENCY,
  }));
}

/** How many people used a session in the partner's centers day by day, oldest first, today included. */
export async function activityByDay(ctx: Context, days: number): Promise<ActivityDay[]> {
  const partnerId = currentPartnerId(ctx);
  const today = Date.parse(day(ctx.now));
  const dates = Array.from({ length: days }, (_, i) => new Date(today - (days - 1 - i) * 86_400_000));
  const keyOf = (date: Date) => tallyKeys.activeOn(partnerId, date);
  const counts = await readTallies(ctx.app.db.pool, dates.map(keyOf));
  return dates.map((date) => ({ day: day(date), activePeople: counts.get(keyOf(date))! }));
}
