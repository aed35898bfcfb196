import type { Seating } from '@countersign/proof-kit/decision';
import { type ApprovalFacts, approvalFacts } from '@countersign/proof-kit/quorum';
import type { Approval } from '../../../db/generated/prisma/client.ts';
import type { Context } from '../../context.ts';

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

/** An approval as policies see it. */
export function factsOfRow(row: Approval): ApprovalFacts {
  return approvalFacts({
    approver: { id: row.approverId, type: row.approverType },
    result: row.result,
    by: { kind: row.byKind },
    onBehalfOf: row.onBehalfOf,
    approvedAt: row.createdAt.toISOString(),
    ...(row.seating as Seating | null),
  });
}
