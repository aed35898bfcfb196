import { ACTOR_TYPES } from '@countersign/proof-kit/decision';
import { effectivePolicy } from '@countersign/proof-kit/effective-policy';
import { isMandateGrant, LEVELS } from '@countersign/proof-kit/guards';
import { type ApprovalFacts, countSeats, type Quorum, type SeatState } from '@countersign/proof-kit/quorum';
import { z } from 'zod';
import { ApprovedByKind, DecisionEventType } from '../../db/generated/prisma/enums.ts';
import { type Context, currentCenterId } from '../context.ts';
import { namesOfOwnGroups } from '../memberships/groups.ts';
import { actionTypeRule } from './action-type.ts';
import { evaluate, type PolicyEvaluation } from './evaluate.ts';
import { policiesInForce } from './in-force.ts';
import { isGrant, mayApprove } from './mandate-grant.ts';
import { takeSeats } from './seating.ts';
import { approvedOutcome, evaluateUnattended, type Outcome, unattendedOutcome } from './unattended.ts';

export const simulatedDecision = z.object({
  actionType: z
    .string()
    .min(1)
    .max(10_000)
    .check(actionTypeRule)
    .describe('The action type, such as `refund.grant`.'),
  type: z.enum(DecisionEventType).default('agent_execution').describe('What kind of decision it would be.'),
  actorType: z.enum(ACTOR_TYPES).describe('What kind of actor would decide.'),
  actorId: z
    .string()
    .max(256)
    .nullish()
    .describe('The id of the actor in your own system; an approval by the same id is refused.'),
  hasAiContext: z
    .boolean()
    .nullish()
    .describe('Whether a model would be involved, that is, `aiContext` would be given.'),
  riskScore: z
    .number()
    .min(0)
    .max(1)
    .nullish()
    .describe('The risk score, 0 to 1. Omit it for an unrated decision.'),
  input: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe(
      'The `action.input` of the call, an object. Only mandates depend on it: their conditions and budgets.',
    ),
  evidenceLevel: z.enum(LEVELS).nullish().describe('The evidence level to assume. Default: AUDIT_READY.'),
  approvals: z
    .array(
      z.object({
        approverId: z
          .string()
          .min(1)
          .max(256)
          .describe('The id of the approver in your own system, 1 to 256 characters.'),
        approverType: z.enum(['human', 'system']).describe('Whether a person or a system approves.'),
        by: z.enum(ApprovedByKind).describe('How the approver would be authenticated.'),
        administrator: z
          .boolean()
          .nullish()
          .describe(
            'Whether the approver is an ADMIN, and so can fill a seat for any person. Default: true.',
          ),
        rejected: z.boolean().nullish().describe('True for a rejection. Default: false.'),
        groups: z
          .array(z.string().max(64))
          .max(100)
          .nullish()
          .describe('The ids of the approval groups that the approver belongs to, `grp_…`.'),
      }),
    )
    .max(10)
    .nullish()
    .describe('The approvals to assume. Default: none.'),
});

export type SimulatedDecision = z.output<typeof simulatedDecision>;

/** How the policies in force would evaluate a hypothetical decision. */
export async function simulateDecision(
  ctx: Context,
  decision: SimulatedDecision,
): Promise<PolicyEvaluation & { seats: SeatState[]; outcome: Outcome; simulated: SimulatedDecision }> {
  const centerId = currentCenterId(ctx);
  await requireOwnGroups(ctx, decision);
  const policies = await policiesInForce(ctx.app.db, centerId);
  const { actionType } = decision;
  const effective = effectivePolicy(policies, { actionType });
  const quorums = effective.quorums.map(({ value }) => value);
  const occurredAt = ctx.now.toISOString();
  const { approvals, isSeatless } = simulatedApprovals(decision, { quorums, occurredAt }, ctx.now);
  // The second approver required by dual approval need not fill a seat.
  const lacksSeat = isSeatless && effective.guards.dualApproval?.value !== true;
  const facts = {
    actionType,
    eventType: decision.type,
    actorId: decision.actorId ?? undefined,
    actorType: decision.actorType,
    hasAiContext: decision.hasAiContext ?? false,
    riskScore: decision.riskScore ?? null,
    evidenceLevel: decision.evidenceLevel ?? 'AUDIT_READY',
    occurredAt,
    grantsMandate: isMandateGrant(decision.type, actionType),
  };
  const evaluation =
    approvals.length > 0 ? evaluate(policies, { ...facts, approvals }) : evaluateUnattended(policies, facts);
  const seats = countSeats(quorums, { occurredAt, approvals });
  const outcome = lacksSeat ? 'refused' : outcomeOf(decision, evaluation);
  return { ...evaluation, seats, outcome, simulated: decision };
}

/** Uses the same functions as real calls. The service seals agents' decisions by itself; all others wait for an approval. */
function outcomeOf(
  { actionType, approvals, actorType }: SimulatedDecision,
  evaluation: PolicyEvaluation,
): Outcome {
  if (approvals?.some(({ by, rejected }) => !rejected && !mayApprove(actionType, by))) return 'refused';
  if (approvals?.length) return approvedOutcome(evaluation);
  const outcome = actorType === 'ai_agent' ? unattendedOutcome(evaluation) : 'awaiting_approval';
  return outcome === 'sealed' && isGrant(actionType) ? 'awaiting_approval' : outcome;
}

/** A group of another center is treated as unknown. */
async function requireOwnGroups(ctx: Context, { approvals }: SimulatedDecision): Promise<void> {
  const named = (approvals ?? []).flatMap(({ groups }, i) =>
    (groups ?? []).map((id, j) => ({ id, path: `approvals.${i}.groups.${j}` })),
  );
  await namesOfOwnGroups(ctx, named);
}

/** Each approver takes a seat as in a real call. Seatless: one of them can fill none of the open seats. */
function simulatedApprovals(
  { approvals }: SimulatedDecision,
  decision: { quorums: readonly Quorum[]; occurredAt: string },
  now: Date,
): { approvals: ApprovalFacts[]; isSeatless: boolean } {
  const given: ApprovalFacts[] = [];
  let isSeatless = false;
  for (const { approverId, approverType, by: byKind, rejected, groups, administrator } of approvals ?? []) {
    const isAdmin = administrator ?? true;
    const rights = byKind === 'api_key' ? null : { isAdmin, groups: groups ?? [], delegations: [] };
    const candidate = { approverId, approverType, byKind, rights };
    const facts = { ...decision, approvals: given };
    const taken = takeSeats(facts, candidate, now);
    const hasOpenSeat = countSeats(decision.quorums, facts).some(({ isOpen }) => isOpen);
    if (hasOpenSeat && !rejected && !('seated' in taken)) isSeatless = true;
    const { seat, alsoSeats = [] } = 'seated' in taken ? taken.seated : {};
    given.push({
      approverId,
      approverType,
      result: rejected ? 'rejected' : 'approved',
      byKind,
      approvedAt: now.toISOString(),
      seats: seat && !rejected ? [seat, ...alsoSeats] : [],
    });
  }
  return { approvals: given, isSeatless };
}
