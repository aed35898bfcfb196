import { z } from 'zod';
import { ApprovedByKind, DecisionEventType, EventActorType } from '../../db/generated/prisma/enums.ts';
import { LEVELS } from '../../proof-kit/guards.ts';
import { type Context, currentCenterId } from '../context.ts';
import { policiesInForce } from './in-force.ts';
import { type Judgement, judge } from './judge.ts';

export const simulatedDecision = z.object({
  actionType: z.string().min(1).max(10_000),
  type: z.enum(DecisionEventType).default('agent_execution'),
  actorType: z.enum(EventActorType),
  actorId: z.string().max(256).nullish(),
  hasAiContext: z.boolean().nullish(),
  riskScore: z.number().min(0).max(1).nullish(),
  evidenceLevel: z.enum(LEVELS).nullish(),
  approvals: z
    .array(
      z.object({
        approverId: z.string().min(1).max(256),
        approverType: z.enum(['human', 'system']),
        by: z.enum(ApprovedByKind),
        rejected: z.boolean().nullish(),
      }),
    )
    .max(10)
    .nullish(),
});

export type SimulatedDecision = z.output<typeof simulatedDecision>;

/** What the policies in force would say about a decision that nobody has made. */
export async function simulateDecision(ctx: Context, decision: SimulatedDecision): Promise<Judgement> {
  const centerId = currentCenterId(ctx);
  return judge(await policiesInForce(ctx.app.db.declared([centerId]), centerId), {
    actionType: decision.actionType,
    eventType: decision.type,
    actorId: decision.actorId ?? undefined,
    actorType: decision.actorType,
    hasAiContext: decision.hasAiContext ?? false,
    riskScore: decision.riskScore ?? null,
    evidenceLevel: decision.evidenceLevel ?? 'AUDIT_READY',
    approvals: (decision.approvals ?? []).map(({ approverId, approverType, by, rejected }) => ({
      approverId,
      approverType,
      result: rejected ? 'rejected' : 'approved',
      byKind: by,
    })),
  });
}
