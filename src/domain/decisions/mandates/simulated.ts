// What the active mandates of a center would do with a call that a simulation assumes.

import { matchesAction } from '@countersign/proof-kit/action-pattern';
import { isSamePerson } from '@countersign/proof-kit/approver-id';
import { effectivePolicy } from '@countersign/proof-kit/effective-policy';
import { usableKeys } from '../../api-keys/keys.ts';
import { type Context, currentCenterId } from '../../context.ts';
import { policiesInForce } from '../../policies/in-force.ts';
import type { ProofContext } from '../decision-context.ts';
import { activeMandates, type MandateView } from './mandates.ts';
import { NOT_USED, type NotUsed, obstacleIn } from './not-used.ts';
import type { MandateTerms } from './terms.ts';
import { coverOf } from './use.ts';

/** A call as far as mandates depend on it. */
export interface SimulatedCall {
  actionType: string;
  /** The agent; without one, the mandates of all agents are tried. */
  actorId?: string | null | undefined;
  /** Without it, conditions and budgets cannot be evaluated. */
  input?: Record<string, unknown> | null | undefined;
  riskScore?: number | null | undefined;
}

export interface SimulatedMandate {
  mandateId: string;
  agent: string;
  approves: boolean;
  /** In a sentence. */
  reason: string;
}

const NEEDS_INPUT = 'The mandate has a condition or a budget, so it depends on the input of the call.';

/** Each may evaluate a condition. */
export const MOST_SIMULATED = 50;

/** The active mandates that cover the action, newest first. */
export async function simulatedMandates(ctx: ProofContext, call: SimulatedCall): Promise<SimulatedMandate[]> {
  const { actorId } = call;
  const matching = (await activeMandates(ctx)).flatMap((mandate) => {
    const { terms } = mandate;
    const isCovered = terms !== null && matchesAction(terms.actionPattern, call.actionType);
    return isCovered && (actorId == null || isSamePerson(terms.agent.id, actorId))
      ? [{ ...mandate, terms }]
      : [];
  });
  const covering = matching.slice(0, MOST_SIMULATED);
  if (covering.length === 0) return [];
  const policies = await policiesInForce(ctx.reads, currentCenterId(ctx));
  const obstacle = obstacleIn(effectivePolicy(policies, call));
  const keys = await keysOf(ctx, covering);
  return Promise.all(
    covering.map(async (mandate) => {
      const hasKey = mandate.keys.some((id) => keys.has(id));
      const reason = !hasKey ? NOT_USED.no_keys : await reasonOf(ctx, mandate, { ...call, obstacle });
      return {
        mandateId: mandate.id,
        agent: mandate.terms.agent.id,
        approves: reason === null,
        reason: reason ?? 'The call would be approved.',
      };
    }),
  );
}

const keysOf = (ctx: Context, mandates: readonly MandateView[]) =>
  usableKeys(
    ctx,
    mandates.flatMap(({ keys }) => keys),
  );

async function reasonOf(
  ctx: ProofContext,
  mandate: MandateView & { terms: MandateTerms },
  { actionType, input, riskScore, obstacle }: SimulatedCall & { obstacle: NotUsed | null },
): Promise<string | null> {
  if (obstacle !== null) return NOT_USED[obstacle];
  const { condition, budget } = mandate.terms;
  if (input == null && (condition !== undefined || budget)) return NEEDS_INPUT;
  const cover = await coverOf(ctx, mandate, {
    action: { type: actionType, input: input ?? {} },
    ...(riskScore != null && { riskScore }),
    occurredAt: ctx.now.toISOString(),
  });
  return typeof cover === 'string' ? NOT_USED[cover] : null;
}
