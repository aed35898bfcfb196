import type { Context } from '../context.ts';
import type { Judgement } from '../policies/judge.ts';
import { judgeNow } from '../policies/simulate.ts';
import type { DecisionEventView } from './row.ts';

/** What the policies in force say about a decision that waits: what is still asked of it, and by whom. */
export async function outlookOf(ctx: Context, event: DecisionEventView): Promise<Judgement | null> {
  if (event.status !== 'recorded' && event.status !== 'approved') return null;
  const approvals = await ctx.db.approval.findMany({ where: { eventId: event.id }, orderBy: { id: 'asc' } });
  return judgeNow(ctx, {
    actionType: event.action.type,
    eventType: event.type,
    actorId: event.actor.id,
    actorType: event.actor.type,
    hasAiContext: event.aiContext !== null,
    riskScore: event.riskScore,
    // Whoever approves can say why, so what is missing of the evidence can still come.
    evidenceLevel: 'AUDIT_READY',
    approvals: approvals.map(({ approverId, approverType, result, byKind }) => ({
      approverId,
      approverType,
      result,
      byKind,
    })),
  });
}
