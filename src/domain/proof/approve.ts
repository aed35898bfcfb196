import type { EvidenceLevel } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';
import { looksLikeId } from '../../lib/ids.ts';
import { announceDecisions } from '../announcements.ts';
import { draftEntry } from '../audit/entry.ts';
import { type Context, currentCenterId } from '../context.ts';
import type { Place } from '../ledger/chains.ts';
import type { Principal } from '../principal.ts';
import { type ApprovalRequest, decisionApproval } from './approval-kind.ts';
import type { ApprovalChange } from './approval-rows.ts';
import type { ApprovalContent } from './content.ts';
import type { AddApprovalInput } from './input.ts';

/** An approval and what it brought. */
export interface ApprovalOutcome {
  approvalId: string;
  decisionId: string;
  eventId: string;
  approver: AddApprovalInput['approver'];
  result: AddApprovalInput['result'];
  reason: string | null;
  evidenceLevel: EvidenceLevel;
  sealedHash: string | null;
  sealedAt: Date | null;
  createdAt: Date;
}

export async function addApproval(
  ctx: Context,
  eventId: string,
  input: AddApprovalInput,
): Promise<ApprovalOutcome> {
  const { place, result } = await requestSeal(ctx, eventId, input);
  return toOutcome(result, place);
}

/** How whoever calls is known to us. */
export function knownBy(principal: Principal): ApprovalContent['by'] {
  switch (principal.kind) {
    case 'apiKey':
      return { kind: 'api_key', id: principal.keyId };
    case 'actor':
      return { kind: 'session', id: principal.actorId };
    case 'system':
      return { kind: 'system' };
    case 'anonymous':
      throw new DomainError('UNAUTHORIZED', 'Sign in first.');
  }
}

/** Hands an approval to the chains of the caller's center. */
export async function requestSeal(
  ctx: Context,
  eventId: string,
  input: AddApprovalInput,
  more: Partial<Pick<ApprovalRequest, 'autonomous' | 'prepared' | 'by'>> = {},
): Promise<{ place: Place | null; result: ApprovalChange }> {
  if (!looksLikeId(eventId)) throw new DomainError('NOT_FOUND', 'There is no such decision event.');
  const centerId = currentCenterId(ctx);
  const outcome = await ctx.app.sealer.seal({
    kind: decisionApproval,
    centerId,
    request: {
      ...input,
      by: knownBy(ctx.principal),
      ...more,
      centerId,
      eventId,
      service: new URL(ctx.app.config.publicUrl).host,
      audit: (entry) => draftEntry(ctx, entry),
    },
    idempotency: ctx.idempotency && { ...ctx.idempotency, subject: eventId },
  });
  announceDecisions(ctx.app.bus, centerId, [eventId]);
  return outcome;
}

export function toOutcome({ event, approval }: ApprovalChange, place: Place | null): ApprovalOutcome {
  return {
    approvalId: approval.id,
    decisionId: event.decision_id,
    eventId: event.id,
    approver: approval.approver,
    result: approval.result,
    reason: approval.reason ?? null,
    evidenceLevel: place ? 'AUDIT_READY' : 'DOCUMENTED',
    sealedHash: place?.hash ?? null,
    sealedAt: place ? new Date(place.timestamp) : null,
    createdAt: new Date(approval.approvedAt),
  };
}
