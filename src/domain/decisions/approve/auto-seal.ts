import { sql } from '../../../db/sql.ts';
import { DomainError } from '../../../lib/errors.ts';
import { type Context, currentCenterId, systemContext } from '../../context.ts';
import type { EventData } from '../../events/catalog.ts';
import type { SealOutcome } from '../../ledger/sealer/kinds.ts';
import { SealUnavailable } from '../../ledger/sealer/transaction.ts';
import { escalatesAfterSql } from '../../policies/escalation-time.ts';
import { transact } from '../../unit-of-work.ts';
import type { ProofApp, ProofContext } from '../decision-context.ts';
import { getDecisionEvent } from '../read/list-events.ts';
import type { DecisionEventView } from '../row.ts';
import { requestSeal } from './admission.ts';
import { agentFacts } from './agent-events.ts';
import type { ApprovalChange } from './approval-rows.ts';

/** The approver of decisions that the policy allows without a person. */
export const SERVICE = { id: 'countersign', type: 'system', name: 'Countersign' } as const;

export const isOpen = ({ status, awaitsApproval }: DecisionEventView) =>
  status === 'recorded' && !awaitsApproval;

/** Seals an agent's decision if no approval is needed. If it cannot be sealed at the moment, returns it unsealed. */
export async function autoSeal(ctx: ProofContext, event: DecisionEventView): Promise<DecisionEventView> {
  if (!isOpen(event)) return event;
  try {
    return (await attemptSeal(ctx, event)) ?? (await getDecisionEvent(ctx, event.id));
  } catch (error) {
    if (!(error instanceof SealUnavailable)) throw error;
    ctx.app.log.warn({ err: error, eventId: event.id }, 'a decision could not be sealed yet');
    return event;
  }
}

/** A decision that was just sealed, without reading it back. */
export function sealedView(
  event: DecisionEventView,
  { place, result }: SealOutcome<ApprovalChange>,
): DecisionEventView {
  const { hash: chainHash, index: chainIndex } = place!;
  return {
    ...event,
    status: 'sealed',
    evidence: { ...event.evidence, status: 'sealed', chainHash, chainIndex },
    updatedAt: new Date(result.approval.approvedAt),
  };
}

/** The same as a job, which fails and is retried while the chain cannot be written to. */
export async function autoSealJob(app: ProofApp, centerId: number, eventId: string): Promise<void> {
  const ctx = systemContext(app, 'sealer', centerId);
  const event = await getDecisionEvent(ctx, eventId);
  if (isOpen(event)) await attemptSeal(ctx, event);
}

/** The sealed decision; null if it was settled otherwise. */
async function attemptSeal(ctx: ProofContext, event: DecisionEventView): Promise<DecisionEventView | null> {
  try {
    const more = { autonomous: 'seals', by: { kind: 'system' } } as const;
    return sealedView(
      event,
      await requestSeal(ctx, event.id, { approver: SERVICE, result: 'approved' }, more),
    );
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // The decision was settled in the meantime, or the policy has become stricter since it was recorded.
    if (error.code === 'POLICY_VIOLATION') await holdForApproval(ctx, event, String(error.details?.['rule']));
    else if (error.code !== 'CONFLICT') throw error;
    return null;
  }
}

const AWAIT_APPROVAL = sql('await_approval')`
  UPDATE decision_event SET awaits_approval = true,
    due_at = least(expires_at, created_at + ${escalatesAfterSql('decision_event.center_id')})
  WHERE id = $eventId AND center_id = $centerId AND status = 'recorded' AND NOT awaits_approval`;

async function holdForApproval(ctx: Context, event: DecisionEventView, rule: string): Promise<void> {
  await transact(ctx, async (work) => {
    const key = { centerId: currentCenterId(ctx), eventId: event.id };
    if ((await AWAIT_APPROVAL.run(work.db, key)) === 0) return;
    work.emit('agent.approval.requested', approvalRequested(event, rule));
    // Its entry may have been processed already, while no approval was needed.
    work.enqueue('remind_approvers', { ...key, occasion: 'WAITING' });
  });
}

/** The payload of the event sent when a decision needs a person's approval. */
export function approvalRequested(
  event: DecisionEventView,
  rule: string,
): EventData<'agent.approval.requested'> {
  return { ...agentFacts(event.head), reason: rule };
}
