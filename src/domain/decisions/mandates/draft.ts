// What the author of a mandate needs while writing it. Nothing is saved.
import { exampleOf, matchesAction } from '@countersign/proof-kit/action-pattern';
import { effectivePolicy } from '@countersign/proof-kit/effective-policy';
import { z } from 'zod';
import { doc } from '../../../lib/doc.ts';
import { validationError } from '../../../lib/errors.ts';
import { type Context, currentCenterId } from '../../context.ts';
import { policiesInForce } from '../../policies/in-force.ts';
import type { ProofContext } from '../decision-context.ts';
import { actionType, jsonObject } from '../text.ts';
import { namedLifts, obstacleFor } from './lifts.ts';
import { NOT_USED, obstacleIn } from './not-used.ts';
import { amountOf, requestMandateInput } from './terms.ts';

const { actionPattern, condition, budget } = requestMandateInput.shape;

export const mandateDraftInput = z.strictObject({ actionPattern: actionPattern.optional(), condition });
export type MandateDraftInput = z.output<typeof mandateDraftInput>;

export interface MandateCheck {
  conditionProblem: string | null;
  lifts: string[];
  notUsed: string | null;
}

/** What is known of a mandate before it is requested. */
export async function checkMandate(ctx: ProofContext, draft: MandateDraftInput): Promise<MandateCheck> {
  const { actionPattern: pattern } = draft;
  const conditionProblem =
    draft.condition === undefined ? null : ctx.app.sandbox.conditionProblem(draft.condition);
  if (pattern === undefined) return { conditionProblem, lifts: [], notUsed: null };
  const policies = await policiesInForce(ctx.reads, currentCenterId(ctx));
  const obstacle = obstacleFor(policies, pattern);
  const lifts = await namedLifts(ctx, policies, [pattern]);
  return {
    conditionProblem,
    lifts: lifts.get(pattern)!,
    notUsed: obstacle === null ? null : NOT_USED[obstacle],
  };
}

export const tryMandateInput = z.strictObject({
  actionPattern,
  condition,
  budget,
  actionType: actionType
    .optional()
    .meta(doc('The action type of the call. Default: any that `actionPattern` covers.', 'refund.grant')),
  input: jsonObject
    .optional()
    .meta(
      doc('The `action.input` of the call, an object of at most 256 KiB. Default: `{}`.', { amount: 20 }),
    ),
  riskScore: z.number().min(0).max(1).optional().meta(doc('The risk score of the call, 0 to 1.', 0.4)),
});

export interface MandateTrial {
  approves: boolean;
  /** Why, in a sentence. */
  reason: string;
}

const no = (reason: string): MandateTrial => ({ approves: false, reason });

/** Whether a mandate with these terms would approve a call, if it were granted and nothing of it were used. */
export async function tryMandate(
  ctx: ProofContext,
  draft: z.output<typeof tryMandateInput>,
): Promise<MandateTrial> {
  const { condition: source, actionPattern: pattern, budget: limits, input = {}, riskScore } = draft;
  const { actionType: type = exampleOf(pattern) } = draft;
  const fault = source === undefined ? null : ctx.app.sandbox.conditionProblem(source);
  if (fault !== null) throw validationError([{ path: 'condition', message: fault }]);
  if (!matchesAction(pattern, type)) return no(`The mandate does not cover the action ${type}.`);
  const obstacle = obstacleIn(await policyFor(ctx, type));
  if (obstacle !== null) return no(NOT_USED[obstacle]);
  const amount = amountOf({ budget: limits }, input);
  if (amount === undefined) return no(NOT_USED.no_amount);
  if (limits && (amount ?? 0) > limits.limit) return no(NOT_USED.no_budget_left);
  if (source === undefined) return { approves: true, reason: APPROVED };
  const scope = { input, riskScore: riskScore ?? null };
  const { holds, error } = await ctx.app.sandbox.tryCondition(currentCenterId(ctx), source, scope);
  if (holds === null) return no(`The condition could not be evaluated for this call: ${error}.`);
  return holds ? { approves: true, reason: APPROVED } : no(NOT_USED.condition_not_met);
}

const APPROVED = 'The call would be approved.';

const policyFor = async (ctx: Context, type: string) =>
  effectivePolicy(await policiesInForce(ctx.reads, currentCenterId(ctx)), { actionType: type });
