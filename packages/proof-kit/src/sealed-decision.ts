/**
 * Seals decisions. The parts are sealed as they arise: the event when it is recorded, an approval when it is given or prepared
 * for a passkey to sign, the whole when the last approval is given.
 */
import { type Bytes, toHex, utf8 } from './bytes.ts';
import { canonicalJson } from './canonical.ts';
import {
  APPROVAL,
  EVENT,
  type PlainApproval,
  type PlainEvent,
  type SealedApproval,
  type SealedDecision,
  type SealedEvent,
  type WebAuthnSignature,
} from './decision.ts';
import { disclosureDigest, makeDisclosure, type SealTools } from './disclosure.ts';
import type { Disclosures } from './sealed-object.ts';
import { sha256 } from './sha256.ts';
import { sortTexts } from './sort-texts.ts';

export interface SealedPart<T> {
  sealed: T;
  disclosures: Disclosures;
}

/** Draws the salts of an event. Call it once, when the event is recorded, and store its disclosures. */
export const sealEvent = (event: PlainEvent, tools: SealTools): SealedPart<SealedEvent> =>
  EVENT.seal(event, tools);

/** Draws the salts of an approval. One that is only prepared for signing has no time yet. */
export const sealApproval = (
  approval: Omit<PlainApproval, 'approvedAt'> & { approvedAt?: string },
  tools: SealTools,
): SealedPart<SealedApproval> => APPROVAL.seal(approval as PlainApproval, tools);

/** A prepared approval with its salts, completed with the signature and the time at which it was given. */
export function completeApproval(
  { sealed, disclosures }: SealedPart<SealedApproval>,
  { approvedAt, signature }: { approvedAt: string; signature: WebAuthnSignature },
  tools: SealTools,
): SealedPart<SealedApproval> {
  const disclosure = makeDisclosure(tools.salt('approvals.signature'), 'signature', signature, tools.encode);
  const _sd = sortTexts([...(sealed._sd ?? []), (tools.digest ?? disclosureDigest)(disclosure)]);
  return {
    sealed: { ...sealed, approvedAt, _sd },
    disclosures: { ...disclosures, 'approvals.signature': disclosure },
  };
}

/** The exact text that is hashed on the proof chain. */
export function decisionContent(decision: Omit<SealedDecision, 'kind' | '_sd_alg'>): string {
  const { service, center, event, approvals, policy, mandate } = decision;
  return canonicalJson({
    _sd_alg: 'sha-256',
    approvals,
    center: { domain: center.domain, id: center.id },
    event,
    kind: 'decision',
    ...(mandate !== undefined && { mandate }),
    policy,
    service,
  });
}

/** The journal entry of a decision from the moment it is recorded, which is also what its approvers sign. */
export function eventDigest(event: SealedEvent, hash: (text: string) => string = hexDigest): string {
  return hash(canonicalJson(event));
}

function hexDigest(text: string): string {
  return toHex(sha256(utf8(text)));
}

/** What a passkey signs: the event, and the approval as sealed but without its time and without the digest of the signature. */
export function approvalChallenge(
  approval: SealedApproval,
  eventDigest: string,
  signatureDisclosure?: string,
): Bytes {
  const { approvedAt: _, _sd = [], ...rest } = approval;
  const own = signatureDisclosure === undefined ? null : disclosureDigest(signatureDisclosure);
  const digests = _sd.filter((digest) => digest !== own);
  const signed = { ...rest, ...(digests.length > 0 && { _sd: digests }) };
  return sha256(utf8(canonicalJson({ approval: signed, eventDigest }))) as Bytes;
}
