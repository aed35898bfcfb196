/**
 * The export document: everything an outsider needs to check a record without asking the service that made it.
 *
 * Two kinds share one form. A *decision* export shows a sealed decision event: its `evidence.event` and its approvals
 * restate, readably, what `record.content` (canonical JSON) says. A *platform* export shows any other proof unit: its
 * `evidence.content` repeats `record.content`, whatever text that is.
 *
 * Not covered by the record's hash, and therefore only as good as the one who hands the document over: `exportedAt`,
 * `evidence.id`, `evidence.createdAt` of decisions, the host in `verifyUrl`, and of platform units everything but content
 * and creation time (level and metadata change after the record is written).
 */
import type { JsonValue } from './canonical.ts';

export interface ExportDocument {
  /** `{schema_url}/decision-proof/v2` */
  '@context': string;
  '@type': 'DecisionProof';
  version: '2.0';
  exportedAt: string;
  evidence: DecisionEvidence | PlatformEvidence;
  verification: ExportVerification;
  record: ExportRecord;
  /** Present once a checkpoint covers the record. */
  inclusion?: ExportInclusion;
  /** The key that signed the checkpoint. A reader who trusts nothing yet compares it with the published one. */
  publicKey?: ExportPublicKey;
}

export interface ExportChain {
  /** `sha256:` and 64 hex digits. */
  hash: string;
  /** The same form; null for the first record of a chain. */
  previousHash: string | null;
  index: number;
  domain: string;
}

interface EvidenceBase {
  id: string;
  decisionId: string;
  evidenceLevel: 'DRAFT' | 'DOCUMENTED' | 'AUDIT_READY';
  chain: ExportChain;
  /** Who, what, when, where, why, how: derived from the record for reading, not part of what is hashed. */
  responsibility?: { [question: string]: JsonValue };
}

export interface DecisionEvidence extends EvidenceBase {
  status: 'sealed';
  evidenceLevel: 'AUDIT_READY';
  event: ExportEvent;
  /** The approval that sealed the event: the last of those in the record. */
  approval: ExportApproval;
  /** All of them, where there is more than one. */
  approvals?: ExportApproval[];
  policy?: { [field: string]: JsonValue };
  /** Equal to the record's timestamp. */
  sealedAt?: string;
  createdAt?: string;
}

export interface PlatformEvidence extends EvidenceBase {
  status: 'pending' | 'sealed';
  /** Equal to the record's content, null included. */
  content: string | null;
  /** Null is allowed, for producers that keep the fields of both kinds. */
  event?: null;
  approval?: null;
  metadata?: { [key: string]: JsonValue };
  /** Equal to the record's timestamp: a platform record is hashed when it is created. */
  createdAt?: string;
  /** When the level became AUDIT_READY. */
  sealedAt?: string | null;
}

export interface ExportParty {
  id: string;
  type: string;
  name?: string | null;
}

/** Fields may be left out, but none may differ from the record. */
export interface ExportEvent {
  id?: string;
  decisionId?: string;
  type: string;
  actor: ExportParty;
  action: { type: string; description?: string | null; input?: JsonValue; output?: JsonValue };
  aiContext?: {
    model?: string | null;
    provider?: string | null;
    confidence?: number | null;
    reasoning?: string | null;
  } | null;
  tags?: string[];
  occurredAt: string;
}

export interface ExportApproval {
  id?: string;
  approver: ExportParty;
  result: 'approved' | 'rejected';
  reason?: string | null;
  approvedAt: string;
}

export interface ExportVerification {
  hashAlgorithm: 'SHA-256';
  chainDomain: string;
  chainIndex: number;
  /** As in `evidence.chain`: with prefix, previousHash null for the first record. */
  chainHash: string;
  previousHash: string | null;
  /** `{public_url}/verify/{id}`: the event's id for decisions, `evidence.id` otherwise. */
  verifyUrl: string;
}

/** What was hashed: see `record.ts`. Hashes are bare hex here. */
export interface ExportRecord {
  /** Null where the content is withheld, as on a public page: then nobody can recompute the hash from this document. */
  content: string | null;
  /** The empty string for the first record. */
  previousHash: string;
  timestamp: string;
}

export interface ExportInclusion {
  /** Equal to the chain index. */
  leafIndex: number;
  treeSize: number;
  /** RFC 9162 inclusion proof, leaf side first, each 64 hex digits. */
  hashes: string[];
  /** The signed checkpoint, as text. */
  checkpoint: string;
}

export interface ExportPublicKey {
  /** 8 hex digits. */
  keyId: string;
  /** The key name of the signature line: the service. */
  name: string;
  /** The 32 bytes of the Ed25519 key in base64. */
  publicKey: string;
}

/** The chain domain whose records are sealed decisions. */
export const DECISION_DOMAIN = 'proof';

export function isDecisionEvidence(evidence: ExportDocument['evidence']): evidence is DecisionEvidence {
  return evidence.event !== undefined && evidence.event !== null;
}
