// What a decision and its approvals say, and how that is sealed: in the open only what everybody may see, everything
// else by salted digests. Values and salts are kept; whatever is erased loses both, and keeps its digest.
import { hash } from 'node:crypto';
import type { SealTools } from '@countersign/proof-kit/disclosure';
import {
  eventDigest,
  type SealedApproval,
  type SealedEvent,
  type Seating,
  sealApproval,
  sealEvent,
  type WebAuthnSignature,
} from '@countersign/proof-kit/sealed-decision';
import type {
  ApprovalResult,
  ApprovedByKind,
  ApproverType,
  DecisionEventType,
  EventActorType,
} from '../../db/generated/prisma/enums.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { newSalt } from '../../lib/salt.ts';

/** What a decision event says. Absent fields are left out. */
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
  /** How the approver was known: the id of the key or of the person; the system has none. */
  by: { kind: ApprovedByKind; id?: string };
  /** The actor whose delegate approved; given exactly where there is a delegation. */
  onBehalfOf?: string;
  signature?: WebAuthnSignature;
  /** When the passkey that signed was registered. Not sealed: the audit chain has it. */
  passkeySince?: string;
  approvedAt: string;
}

/** By path, the salt of each member that can be disclosed. */
export type Salts = Record<string, string>;

/** By path, what was erased. */
export type Erased = Record<string, { at: string; reason: string; digest: string }>;

/** By path, the texts that disclose members. */
export type Disclosed = Record<string, string>;

/** Most texts fit in here and need no separate buffer. */
const scratch = Buffer.alloc(16_384);
const MOST_BYTES_A_CHARACTER = 3;

function encode(text: string): string {
  if (text.length * MOST_BYTES_A_CHARACTER > scratch.length) return Buffer.from(text).toString('base64url');
  return scratch.toString('base64url', 0, scratch.write(text));
}

const native = {
  encode,
  digest: (text: string) => hash('sha256', text, 'base64url'),
} satisfies Partial<SealTools>;

/** Draws salts and notes them. */
export const drawing = (salts: Salts): SealTools => ({
  ...native,
  salt: (path) => {
    salts[path] = newSalt();
    return salts[path];
  },
});

/** Takes the salts that were drawn before. A member without one was added behind our back: then no digest will fit. */
const remembering = (salts: Salts): SealTools => ({ ...native, salt: (path) => salts[path] ?? '' });

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

/** Seals an event as it was sealed before, from what is kept of it. */
export function resealEvent(event: EventContent, salts: Salts, erased: Erased | null): Resealed<SealedEvent> {
  const { sealed, disclosures } = sealEvent(withoutErased(event, erased), remembering(salts));
  return { sealed: withDigests(sealed, erased, ''), disclosed: disclosures };
}

export function sealNewApproval(approval: ApprovalContent): NewlySealed<SealedApproval> {
  const salts: Salts = {};
  return { sealed: sealApproval(approval, drawing(salts)).sealed, salts };
}

/** The same with the salts that were drawn when it was prepared; only the signature gets a new one. */
export function sealPreparedApproval(
  approval: ApprovalContent,
  prepared: Salts,
): NewlySealed<SealedApproval> {
  const salts: Salts = { ...prepared };
  const tools: SealTools = { ...native, salt: (path) => (salts[path] ??= newSalt()) };
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

/** What an approver approves, and what the journal holds: any other content has another digest. */
export function digestOf(sealed: SealedEvent): string {
  return eventDigest(sealed, sha256Hex);
}

export const digestOfDisclosure = native.digest;

type Members = Record<string, unknown>;

/** The object that a path leads to, and the last name on it. */
function parentOf(root: object, path: string): { parent: Members; name: string } {
  const names = path.split('.');
  const name = names.pop()!;
  let parent = root as Members;
  for (const each of names) parent = parent[each] as Members;
  return { parent, name };
}

/** Columns that cannot be empty hold an empty text or list after erasure: it was not sealed and is not taken for a value. */
export function withoutErased<T extends object>(content: T, erased: Erased | null, prefix = ''): T {
  if (!erased) return content;
  const copy = structuredClone(content);
  for (const path of Object.keys(erased)) {
    const { parent, name } = parentOf(copy, path.slice(prefix.length));
    delete parent[name];
  }
  return copy;
}

/** What was erased is still sealed: its digest is among the others. */
function withDigests<T extends object>(sealed: T, erased: Erased | null, prefix: string): T {
  if (!erased) return sealed;
  for (const [path, { digest }] of Object.entries(erased)) {
    const { parent } = parentOf(sealed, path.slice(prefix.length));
    parent['_sd'] = [...((parent['_sd'] as string[] | undefined) ?? []), digest].sort();
  }
  return sealed;
}
