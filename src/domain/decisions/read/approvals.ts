import type { Seating } from '@countersign/proof-kit/decision';
import { type ApprovalFacts, approvalFacts } from '@countersign/proof-kit/quorum';
import type { Approval } from '../../../db/generated/prisma/client.ts';
import type { Context } from '../../context.ts';
import type { ApprovalContent } from '../content.ts';

/** The approvals of each decision, oldest first. A decision has few, and the one that seals or rejects it comes last. */
export async function approvalsOf(
  ctx: Context,
  eventIds: readonly string[],
): Promise<Map<string, Approval[]>> {
  const rows = await ctx.db.approval.findMany({
    where: { eventId: { in: [...eventIds] } },
    orderBy: [{ createdAt: 'asc' }, { journalIndex: { sort: 'asc', nulls: 'last' } }, { id: 'asc' }],
  });
  return Map.groupBy(rows, ({ eventId }) => eventId);
}

export const contentOf = ({ content }: Approval) => content as unknown as ApprovalContent;

/** The seats that an approval fills, and why; null if it fills none. */
export function seatingOf({ seat, alsoSeats, delegation, escalation }: Seating): Seating | null {
  if (!seat) return null;
  return {
    seat,
    ...(alsoSeats && { alsoSeats }),
    ...(delegation && { delegation }),
    ...(escalation && { escalation }),
  };
}

/** An approval as policies see it. */
export const factsOfRow = (row: Approval): ApprovalFacts => approvalFacts(contentOf(row));
