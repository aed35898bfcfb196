import type { SealedMandate } from '@countersign/proof-kit/decision';
import { DomainError } from '../../../lib/errors.ts';
import { currentCenterId } from '../../context.ts';
import { SealUnavailable } from '../../ledger/sealer/transaction.ts';
import type { ProofContext } from '../decision-context.ts';
import { getMandate } from '../mandates/mandates.ts';
import { type UnusedMandate, unused } from '../mandates/not-used.ts';
import { remainingOf } from '../mandates/terms.ts';
import { type CoveringMandate, MandateRefused } from '../mandates/use.ts';
import { findSealedDecision } from '../read/sealed-decision.ts';
import type { DecisionEventView } from '../row.ts';
import { requestSeal } from './admission.ts';
import { isOpen, sealedView } from './auto-seal.ts';

/** The use of a mandate by a decision, and what remained after it; null if there is no such limit. */
export interface UsedMandate extends Omit<SealedMandate, 'previous'> {
  remaining: { uses: number | null; budget: number | null };
}

interface SealedUnderMandate {
  event: DecisionEventView;
  mandate: UsedMandate;
}

/** Seals an agent's decision with the first mandate that allows it. If none does, returns those that a limit forbade. */
export async function sealUnderMandate(
  ctx: ProofContext,
  event: DecisionEventView,
  covers: readonly CoveringMandate[],
): Promise<SealedUnderMandate | UnusedMandate[]> {
  const refused: UnusedMandate[] = [];
  if (!isOpen(event)) return refused;
  for (const mandate of covers) {
    const approval = { approver: { id: mandate.id, type: 'system' }, result: 'approved' } as const;
    const by = { kind: 'mandate', id: mandate.id } as const;
    try {
      const outcome = await requestSeal(ctx, event.id, approval, { autonomous: 'seals', by, mandate });
      const { sealed, terms, consumption } = outcome.result.mandate!;
      return {
        event: sealedView(event, outcome),
        mandate: { ...sealed, remaining: remainingOf(terms, consumption) },
      };
    } catch (error) {
      const isRefused =
        error instanceof DomainError && (error.code === 'CONFLICT' || error.code === 'POLICY_VIOLATION');
      if (!isRefused && !(error instanceof SealUnavailable)) throw error;
      if (error instanceof MandateRefused) refused.push(unused(mandate.id, error.reason));
    }
  }
  return refused;
}

/** The mandate under which a decision was sealed earlier, from its record. */
export async function mandateUsedBy(
  ctx: ProofContext,
  { id, status }: DecisionEventView,
): Promise<UsedMandate | null> {
  if (status !== 'sealed') return null;
  const decision = await findSealedDecision(ctx.app.db, currentCenterId(ctx), 'id', id);
  if (!decision?.disclosed.content.mandate) return null;
  const { previous: _, ...sealed } = decision.disclosed.content.mandate;
  const { terms } = await getMandate(ctx, sealed.id);
  const consumption = { used: sealed.use, spent: sealed.spent ?? 0 };
  return { ...sealed, remaining: terms ? remainingOf(terms, consumption) : { uses: null, budget: null } };
}
