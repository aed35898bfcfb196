import type { Approval } from '../../db/generated/prisma/client.ts';
import type { Context } from '../context.ts';

/** What was said about each of some decisions, oldest first. A decision has few: the one that seals or rejects it is the last. */
export async function approvalsOf(
  ctx: Context,
  eventIds: readonly string[],
): Promise<Map<string, Approval[]>> {
  const rows = await ctx.db.approval.findMany({
    where: { eventId: { in: [...eventIds] } },
    orderBy: { id: 'asc' },
  });
  return Map.groupBy(rows, ({ eventId }) => eventId);
}
