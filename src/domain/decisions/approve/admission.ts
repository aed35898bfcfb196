// Where every approval starts. It has five callers: a system or a person approves (here), a person signs with a passkey
// (sign.ts), the service seals what the policy allows (auto-seal.ts), a mandate approves an agent's call
// (seal-under-mandate.ts), and the service rejects what expired, was withdrawn or erased (system-rejection.ts). Each hands one
// request to the sealer, which admits it in a batch with others (approval-kind.ts).
import type { EvidenceLevel } from '../../../db/generated/prisma/enums.ts';
import { looksLikeId } from '../../../lib/ids.ts';
import { announceDecisions } from '../../announcements.ts';
import { draftEntry } from '../../audit/entry.ts';
import { currentCenterId } from '../../context.ts';
import type { Place } from '../../ledger/chains/chains.ts';
import type { SealOutcome } from '../../ledger/sealer/kinds.ts';
import { authorOf, type Principal } from '../../principal.ts';
import type { ApprovalContent } from '../content.ts';
import type { ProofContext } from '../decision-context.ts';
import type { AddApprovalInput } from '../input.ts';
import { eventNotFound } from '../row.ts';
import { type ApprovalRequest, decisionApproval } from './approval-kind.ts';
import type { ApprovalChange } from './approval-rows.ts';

/** An approval and its result. */
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
  /** The record that contains it. */
  place: Place & { domain: 'proof' | 'journal' };
}

export async function addApproval(
  ctx: ProofContext,
  eventId: string,
  input: AddApprovalInput,
): Promise<ApprovalOutcome> {
  return toOutcome(await requestSeal(ctx, eventId, input));
}

/** The caller's membership, and whether the caller may approve without a seat. */
export function memberOf(principal: Principal): Pick<ApprovalRequest, 'membershipId' | 'isAdmin'> {
  if (principal.kind !== 'actor' || !principal.center.open) return { membershipId: null, isAdmin: true };
  const { membershipId, role } = principal.center;
  return { membershipId, isAdmin: role === 'ADMIN' };
}

/** How the caller was authenticated, and by whom if the company's provider did it. */
export function authenticationOf(principal: Principal): ApprovalContent['by'] {
  return { ...authorOf(principal), ...providerOf(principal) };
}

/** The members that name the provider of a session; none for any other caller. */
export function providerOf(principal: Principal): Pick<ApprovalContent['by'], 'via' | 'identity'> {
  if (principal.kind !== 'actor' || principal.identity === null) return {};
  const { issuer, subject } = principal.identity;
  return { via: 'oidc', identity: { issuer, subject } };
}

/** Submits an approval to the sealer. */
export async function requestSeal(
  ctx: ProofContext,
  eventId: string,
  input: AddApprovalInput,
  more: Partial<Pick<ApprovalRequest, 'autonomous' | 'prepared' | 'by' | 'mandate'>> = {},
): Promise<SealOutcome<ApprovalChange>> {
  if (!looksLikeId(eventId)) throw eventNotFound();
  const centerId = currentCenterId(ctx);
  const author = authorOf(ctx.principal);
  const outcome = await ctx.app.sealer.seal({
    kind: decisionApproval,
    centerId,
    request: {
      ...input,
      by: authenticationOf(ctx.principal),
      ...more,
      author,
      centerId,
      eventId,
      ...memberOf(ctx.principal),
      service: new URL(ctx.app.config.publicUrl).host,
      audit: (entry) => draftEntry(ctx, entry),
    },
    idempotency: ctx.idempotency && { ...ctx.idempotency, subject: eventId },
  });
  announceDecisions(ctx.app.bus, centerId, [eventId]);
  return outcome;
}

export function toOutcome({ place, journal, result }: SealOutcome<ApprovalChange>): ApprovalOutcome {
  const { event, approval } = result;
  const [entry] = journal;
  return {
    approvalId: approval.id,
    decisionId: event.content.decisionId,
    eventId: event.id,
    approver: approval.approver,
    result: approval.result,
    reason: approval.reason ?? null,
    evidenceLevel: place ? 'AUDIT_READY' : 'DOCUMENTED',
    sealedHash: place?.hash ?? null,
    sealedAt: place ? new Date(place.timestamp) : null,
    createdAt: new Date(approval.approvedAt),
    place: place ? { ...place, domain: 'proof' } : { ...entry!, domain: 'journal' },
  };
}
