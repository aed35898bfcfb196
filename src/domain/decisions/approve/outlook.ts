import { type Context, currentCenterId } from '../../context.ts';
import { evaluate, type PolicyEvaluation } from '../../policies/evaluate.ts';
import { policiesInForce } from '../../policies/in-force.ts';
import { evaluateUnattended } from '../../policies/unattended.ts';
import { approvalsOf, factsOfRow } from '../read/approvals.ts';
import type { DecisionEventView } from '../row.ts';
import { decisionFacts } from './evaluate-approval.ts';

/** What the policies in force still require of pending decisions, and from whom. */
export async function outlooksOf(
  ctx: Context,
  events: readonly DecisionEventView[],
): Promise<Map<DecisionEventView, PolicyEvaluation>> {
  const open = events.filter(({ status }) => status === 'recorded' || status === 'approved');
  if (open.length === 0) return new Map();
  const centerId = currentCenterId(ctx);
  const policies = await policiesInForce(ctx.app.db, centerId);
  const approvals = await approvalsOf(
    ctx,
    open.map(({ id }) => id),
  );
  return new Map(
    open.map((event) => {
      const given = (approvals.get(event.id) ?? []).map(factsOfRow);
      const facts = factsOf(event);
      const evaluation =
        given.length > 0
          ? evaluate(policies, { ...facts, approvals: given })
          : evaluateUnattended(policies, facts);
      return [event, evaluation];
    }),
  );
}

/** The approver can give a reason, so missing evidence can still be provided. */
const factsOf = ({ head }: DecisionEventView) => ({
  ...decisionFacts(head),
  evidenceLevel: 'AUDIT_READY' as const,
});
