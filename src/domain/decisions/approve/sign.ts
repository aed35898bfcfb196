import { APPROVAL, signatureForm, type WebAuthnSignature } from '@countersign/proof-kit/decision';
import { identityKey } from '@countersign/proof-kit/decision-rules';
import { approvalChallenge } from '@countersign/proof-kit/sealed-decision';
import { webAuthnFault } from '@countersign/proof-kit/webauthn';
import { z } from 'zod';
import { ApprovalResult } from '../../../db/generated/prisma/enums.ts';
import { DomainError, validationError } from '../../../lib/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { type Context, currentCenterId } from '../../context.ts';
import { sealedName } from '../../identity/sealed-name.ts';
import { signingOptions, verifyAssertion } from '../../passkeys/assertion.ts';
import { assertionResponse, CHALLENGE_MS } from '../../passkeys/webauthn.ts';
import type { Seated } from '../../policies/seating.ts';
import type { ActorPrincipal } from '../../principal.ts';
import { type ApprovalContent, type Salts, sealNew, sealUnsigned } from '../content.ts';
import type { ProofContext } from '../decision-context.ts';
import { seatingOf } from '../read/approvals.ts';
import { getDecisionEvent } from '../read/list-events.ts';
import { longText } from '../text.ts';
import {
  type ApprovalOutcome,
  addApproval,
  memberOf,
  providerOf,
  requestSeal,
  toOutcome,
} from './admission.ts';
import { prepareSeats, requireSeat } from './seats.ts';

export const prepareApprovalInput = z.object({
  eventId: z.string(),
  result: z.enum(ApprovalResult),
  reason: longText.optional(),
});

export const approveDecisionInput = prepareApprovalInput
  .extend({ approvalId: z.string().optional(), assertion: assertionResponse.optional() })
  .check(({ value, issues }) => {
    if ((value.approvalId === undefined) === (value.assertion === undefined)) return;
    const missing = value.assertion === undefined ? 'assertion' : 'approvalId';
    issues.push({ code: 'custom', message: 'is required for a signature', path: [missing], input: value });
  });

export type PrepareApprovalInput = z.output<typeof prepareApprovalInput>;
export type ApproveDecisionInput = z.output<typeof approveDecisionInput>;

function signedIn({ principal }: Context): ActorPrincipal {
  if (principal.kind === 'actor') return principal;
  throw new DomainError(
    'FORBIDDEN',
    'Only a signed-in person can approve in their own name; API keys use addApproval.',
  );
}

/** The time is not signed. It is set when the signature arrives. */
type UnsignedApproval = Omit<ApprovalContent, 'approvedAt'>;

/** A person's passkey approval, as far as it is known before it is signed. */
function draftOf(
  ctx: Context,
  id: string,
  { result, reason }: Pick<PrepareApprovalInput, 'result' | 'reason'>,
): UnsignedApproval {
  const approver = approverOf(ctx);
  return {
    id,
    approver,
    result,
    ...(reason !== undefined && { reason }),
    by: { kind: 'passkey', id: approver.id, ...providerOf(ctx.principal) },
  };
}

/** The signed-in person, under a name that their centers have known for an hour. */
function approverOf(ctx: Context): ApprovalContent['approver'] & { type: 'human' } {
  const principal = signedIn(ctx);
  return { id: principal.actorId, type: 'human', name: sealedName(principal, ctx.now) };
}

/** The data that the browser needs for a passkey to sign exactly this decision and this reason. */
export async function prepareApproval(ctx: ProofContext, input: PrepareApprovalInput) {
  const principal = signedIn(ctx);
  const event = await getDecisionEvent(ctx, input.eventId);
  if (event.status === 'sealed' || event.status === 'rejected') {
    throw new DomainError('CONFLICT', `The decision event is already ${event.status}.`);
  }
  await requireSeat(ctx, event, 'approve');
  const approvalId = newId('apr');
  const draft = draftOf(ctx, approvalId, input);
  const content = { ...draft, ...(await prepareSeats(ctx, event, draft)) };
  const { sealed, salts } = sealNew(APPROVAL, content as ApprovalContent);
  const options = await signingOptions(
    ctx,
    principal.actorId,
    Uint8Array.from(approvalChallenge(sealed, event.contentHash)),
  );
  await ctx.db.preparedApproval.create({
    data: {
      id: approvalId,
      centerId: currentCenterId(ctx),
      eventId: event.id,
      actorId: principal.actorId,
      content,
      salts,
      expiresAt: new Date(ctx.now.getTime() + CHALLENGE_MS),
    },
  });
  return { approvalId, options };
}

/** Approves or rejects in the name of the signed-in person, with or without a passkey signature. */
export async function approveDecision(
  ctx: ProofContext,
  input: ApproveDecisionInput,
): Promise<ApprovalOutcome> {
  const principal = signedIn(ctx);
  const { eventId, result, reason, approvalId, assertion } = input;
  const { actorId: id } = principal;
  const answer = { result, ...(reason !== undefined && { reason }) };
  if (!memberOf(principal).isAdmin) await requireSeat(ctx, await getDecisionEvent(ctx, eventId), 'approve');
  if (approvalId === undefined || assertion === undefined) {
    return addApproval(ctx, eventId, { approver: approverOf(ctx), ...answer });
  }
  const prepared = await takePrepared(ctx, principal, { ...input, approvalId });
  const event = await getDecisionEvent(ctx, eventId);
  const { content, salts } = prepared;
  requireSameSignIn(ctx, content);
  const sealed = sealUnsigned(content, salts);
  const challenge = Buffer.from(approvalChallenge(sealed, event.contentHash)).toString('base64url');
  const { signature } = await verifyAssertion(ctx, ctx.app.db.acrossTenants, {
    response: assertion,
    challenge,
    actorId: id,
  });
  await requireProvable(ctx, signature, challenge);
  const more = { by: content.by, prepared: { id: approvalId, salts, signature, seated: seatedOf(content) } };
  // The approver as signed: the name may have changed since the approval was prepared.
  const approval = { approver: content.approver, ...answer };
  return toOutcome(await requestSeal(ctx, eventId, approval, more));
}

/** The passkey signed through which provider the person is signed in, so the session must still be of that kind. */
function requireSameSignIn({ principal }: Context, { by }: UnsignedApproval): void {
  if (identityKey({ by }) === identityKey({ by: { kind: 'passkey', ...providerOf(principal) } })) return;
  throw new DomainError(
    'CONFLICT',
    'You signed in another way after you prepared the approval; prepare it again.',
  );
}

/** Verifiers are stricter than browsers about the signed data. A signature that passes here passes every verifier. */
async function requireProvable(ctx: Context, signature: WebAuthnSignature, challenge: string): Promise<void> {
  const service = new URL(ctx.app.config.publicUrl).host;
  const fault =
    signatureForm(signature, 'assertion') ??
    (await webAuthnFault(signature, { challenge: Buffer.from(challenge, 'base64url'), service }));
  if (fault === null) return;
  throw validationError([{ path: 'assertion', message: `cannot be proven: ${fault}` }]);
}

/** Consumes a prepared approval: it is valid for one attempt, with the same result and reason. */
async function takePrepared(
  ctx: ProofContext,
  { actorId }: ActorPrincipal,
  { approvalId, eventId, result, reason }: ApproveDecisionInput & { approvalId: string },
): Promise<{ content: UnsignedApproval; salts: Salts }> {
  const where = { id: approvalId, actorId, expiresAt: { gt: ctx.now } };
  const prepared = await ctx.db.preparedApproval.findFirst({ where });
  const taken = prepared && (await ctx.db.preparedApproval.deleteMany({ where })).count === 1;
  if (!prepared || !taken) {
    throw new DomainError(
      'CONFLICT',
      'No approval is prepared under this id, or it has expired; prepare it again.',
    );
  }
  const content = prepared.content as unknown as UnsignedApproval;
  if (prepared.eventId !== eventId || content.result !== result || content.reason !== reason) {
    throw validationError([
      { path: 'approvalId', message: 'was prepared for a different decision, result or reason' },
    ]);
  }
  return { content, salts: prepared.salts as Salts };
}

/** The seats that a prepared approval names. */
const seatedOf = (approval: UnsignedApproval): Seated => ({
  ...seatingOf(approval),
  ...(approval.onBehalfOf !== undefined && { onBehalfOf: approval.onBehalfOf }),
});
