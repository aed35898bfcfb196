import { DomainError } from '../../../lib/errors.ts';
import type { ProofContext } from '../decision-context.ts';
import { findDecisionEvent, getDecisionEvent } from '../read/list-events.ts';
import { checkRequester } from '../requester.ts';
import type { DecisionEventView } from '../row.ts';
import { requestSeal } from './admission.ts';
import type { SystemRejection } from './agent-events.ts';
import { SERVICE } from './auto-seal.ts';

export const isFinal = ({ status }: DecisionEventView) => status === 'sealed' || status === 'rejected';

/** Rejects in the name of the service. A person's earlier decision is kept. */
export async function rejectBySystem(
  ctx: ProofContext,
  eventId: string,
  reason: SystemRejection,
): Promise<DecisionEventView> {
  try {
    const approval = { approver: SERVICE, result: 'rejected', reason } as const;
    await requestSeal(ctx, eventId, approval, { autonomous: 'rejects', by: { kind: 'system' } });
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'CONFLICT')) throw error;
  }
  return getDecisionEvent(ctx, eventId);
}

/** Rejects a decision that was not approved in time. */
export async function expireDecision(ctx: ProofContext, eventId: string): Promise<void> {
  const event = await findDecisionEvent(ctx, eventId);
  if (!event || isFinal(event) || event.expiresAt === null || event.expiresAt > ctx.now) return;
  await rejectBySystem(ctx, eventId, 'expired');
}

/** Withdraws a pending decision. A final decision does not change. */
export async function withdrawDecision(ctx: ProofContext, eventId: string): Promise<DecisionEventView> {
  const event = await getDecisionEvent(ctx, eventId);
  checkRequester(ctx, event.requester);
  if (isFinal(event)) throw new DomainError('CONFLICT', 'The decision is final and cannot be withdrawn.');
  const after = await rejectBySystem(ctx, eventId, 'withdrawn');
  if (after.status === 'sealed')
    throw new DomainError('CONFLICT', 'The decision has been sealed in the meantime.');
  return after;
}
