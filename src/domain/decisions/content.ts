// The content of decisions and approvals, and how it is sealed: public members in plain text, all others as salted digests.
// Values and salts are stored. Erasure deletes both and keeps the digest.

import type {
  SealedApproval,
  SealedEvent,
  Seating,
  WebAuthnSignature,
} from '@countersign/proof-kit/decision';
import type { SealTools } from '@countersign/proof-kit/disclosure';
import { eventDigest, sealApproval, sealEvent } from '@countersign/proof-kit/sealed-decision';
import type {
  ApprovalResult,
  ApprovedByKind,
  ApproverType,
  DecisionEventType,
  EventActorType,
} from '../../db/generated/prisma/enums.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { newSalt, sealTools } from '../../lib/seal-tools.ts';

/** The content of a decision event. Absent fields are omitted. */
export interface EventContent {
  id: string;
  decisionId: string;
  type: DecisionEventType;
  actor: { id: string; type: EventActorType; name?: string };
  action: {
    type: string;
    description?: string;
    input?: Record<string, unknown>;
    output?: Record<string, unknown>;
  };
  aiContext?: { model?: string; provider?: string; confidence?: number; reasoning?: string };
  riskScore?: number;
  tags: string[];
  occurredAt: string;
}

export interface ApprovalContent extends Seating {
  id: string;
  approver: { id: string; type: ApproverType; name?: string };
  result: ApprovalResult;
  reason?: string;
  /** How the approver was authenticated, with the id of the key or person. The system has no id. */
  by: { kind: ApprovedByKind; id?: string };
  /** The actor on whose behalf a delegate approved. Present only for delegated approvals. */
  onBehalfOf?: string;
  signature?: WebAuthnSignature;
  /** When the signing passkey was registered. Not sealed here, because the audit chain holds it. */
  passkeySince?: string;
  approvedAt: string;
}

/** The salts of disclosable members, by path. */
export type Salts = Record<string, string>;

/** Erased members, by path. */
export type Erased = Record<string, { at: string; reason: string; digest: string }>;

/** The disclosures of members, by path. */
export type Disclosed = Record<string, string>;

/** Generates salts and stores them in `salts`. */
export const drawing = (salts: Salts): SealTools => ({
  ...sealTools,
  salt: (path) => {
    salts[path] = newSalt();
    return salts[path];
  },
});

/** Uses stored salts. A member without one was added by bypassing the service, so no digest will match. */
const remembering = (salts: Salts): SealTools => ({ ...sealTools, salt: (path) => salts[path] ?? '' });

interface NewlySealed<T> {
  sealed: T;
  salts: Salts;
}

interface Resealed<T> {
  sealed: T;
  disclosed: Disclosed;
}

/** Seals an event for the first time. */
export function sealNewEvent(event: EventContent): NewlySealed<SealedEvent> {
  const salts: Salts = {};
  return { sealed: sealEvent(event, drawing(salts)).sealed, salts };
}

/** Seals an event again with its stored salts, to the same result. */
export function resealEvent(event: EventContent, salts: Salts, erased: Erased | null): Resealed<SealedEvent> {
  const { sealed, disclosures } = sealEvent(withoutErased(event, erased), remembering(salts));
  return { sealed: withDigests(sealed, erased, ''), disclosed: disclosures };
}

export function sealNewApproval(approval: ApprovalContent): NewlySealed<SealedApproval> {
  const salts: Salts = {};
  return { sealed: sealApproval(approval, drawing(salts)).sealed, salts };
}

/** The same with the salts generated during preparation. Only the signature gets a new one. */
export function sealPreparedApproval(
  approval: ApprovalContent,
  prepared: Salts,
): NewlySealed<SealedApproval> {
  const salts: Salts = { ...prepared };
  const tools: SealTools = { ...sealTools, salt: (path) => (salts[path] ??= newSalt()) };
  return { sealed: sealApproval(approval, tools).sealed, salts };
}

export function resealApproval(
  approval: ApprovalContent,
  salts: Salts,
  erased: Erased | null,
): Resealed<SealedApproval> {
  const plain = withoutErased(approval, erased, 'approvals.');
  const { sealed, disclosures } = sealApproval(plain, remembering(salts));
  return { sealed: withDigests(sealed, erased, 'approvals.'), disclosed: disclosures };
}

/** The digest that an approver approves and the journal holds. Different content has a different digest. */
export function digestOf(sealed: SealedEvent): string {
  return eventDigest(sealed, sha256Hex);
}

export const digestOfDisclosure = sealTools.digest;

type Members = Record<string, unknown>;

/** The object that contains a path's member, and the member's name. */
function parentOf(root: object, path: string): { parent: Members; name: string } {
  const names = path.split('.');
  const name = names.pop()!;
  let parent = root as Members;
  for (const each of names) parent = parent[each] as Members;
  return { parent, name };
}

/** After erasure, NOT NULL columns hold an empty string or list. That is not a sealed value, so the member is removed. */
export function withoutErased<T extends object>(content: T, erased: Erased | null, prefix = ''): T {
  if (!erased) return content;
  const copy = structuredClone(content);
  for (const path of Object.keys(erased)) {
    const { parent, name } = parentOf(copy, path.slice(prefix.length));
    delete parent[name];
  }
  return copy;
}

/** Erased members are still sealed: adds their digests to the others. */
function withDigests<T extends object>(sealed: T, erased: Erased | null, prefix: string): T {
  if (!erased) return sealed;
  for (const [path, { digest }] of Object.entries(erased)) {
    const { parent } = parentOf(sealed, path.slice(prefix.length));
    parent['_sd'] = [...((parent['_sd'] as string[] | undefined) ?? []), digest].sort();
  }
  return sealed;
}
