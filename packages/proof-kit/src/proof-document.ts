/**
 * The proof as a document: everything needed to verify a record without contacting the service that made it. Three kinds share
 * one form. The proof of a *decision* shows its record's plain content and disclosures; that of a *rejection* shows the
 * journal entry of a decision that was not approved; that of a *platform record* shows the record's text. Some labels are not
 * proven: `exportedAt`, `evidence.id`, and the level and status of a platform record.
 */
import type { JsonValue } from './canonical.ts';
import type { OutcomeStatus } from './decision.ts';
import { disclose, discloseRejection } from './disclose.ts';
import { HASH_PREFIX } from './record.ts';
import {
  type Credential,
  type ShownDecision,
  type ShownRejection,
  showDecision,
  showRejection,
  verifyUrlOf,
} from './shown.ts';

export const PROOF_FORMAT = 'countersign/3';

export interface ProofDocument {
  /** `{schema_url}/decision-proof/v2` */
  '@context': string;
  '@type': 'DecisionProof';
  version: '2.0';
  format: typeof PROOF_FORMAT;
  kind?: 'rejection';
  exportedAt: string;
  evidence: DecisionProofEvidence | RejectionProofEvidence | PlatformProofEvidence;
  verification: {
    hashAlgorithm: 'SHA-256';
    chainDomain: string;
    chainIndex: number;
    chainHash: string;
    previousHash: string | null;
    /** `{public_url}/verify/{id}`: the event's id for decisions, `evidence.id` otherwise. */
    verifyUrl: string;
  };
  record: ProofRecord;
  /** For a decision or rejection: the disclosures of its digests. */
  disclosures?: string[];
  /** Registrations and removals of the passkeys that signed. */
  credentials?: AttachedRecord[];
  /** The policy versions under which the decision was sealed. */
  policies?: Omit<AttachedRecord, 'disclosures'>[];
  /** What was erased from it since. */
  erased?: Erased[];
  /** Present once a checkpoint covers the record. */
  inclusion?: Inclusion;
  /** Present once the head log covers that checkpoint. */
  head?: Inclusion;
  outcome?: ProofOutcome;
  /** The proof of the decision that granted this decision's mandate. */
  mandateProof?: ProofDocument;
  /** The key that signed. A reader without trusted keys compares it with the published one. */
  publicKey?: ProofKey;
}

interface ProofChain {
  hash: string;
  previousHash: string | null;
  index: number;
  domain: string;
}

export interface DecisionProofEvidence extends ShownDecision {
  id: string;
  chain: ProofChain;
}

export interface RejectionProofEvidence extends ShownRejection {
  id: string;
  chain: ProofChain;
}

export interface PlatformProofEvidence {
  '@id': string;
  '@type': 'prov:Entity';
  id: string;
  decisionId: string;
  status: 'pending' | 'sealed';
  evidenceLevel: 'DRAFT' | 'DOCUMENTED' | 'AUDIT_READY';
  /** Equal to the record's content: null if withheld, empty once erased. */
  content: string | null;
  erasedAt?: string;
  chain: ProofChain;
  createdAt: string;
  /** When it was appended to the chain, not when its level was raised; null while it is not sealed. */
  sealedAt: string | null;
}

/** The hashed parts. Hashes are bare hex here. */
interface ProofRecord {
  content: string | null;
  /** The empty string for the first record of a chain. */
  previousHash: string;
  timestamp: string;
}

/** Another record that the proof needs, with its place in its chain and in the log. */
export interface AttachedRecord {
  record: ProofRecord & { content: string };
  disclosures: string[];
  inclusion?: Inclusion;
  head?: Inclusion;
}

export interface Erased {
  path: string;
  at: string;
  reason: string | null;
  /** Who erased it; the id only if it is disclosed. */
  by?: { kind: string; id?: string };
  /** The entry on the journal. */
  journal?: AttachedRecord;
}

export interface Inclusion {
  leafIndex: number;
  treeSize: number;
  /** RFC 9162 inclusion proof, leaf side first, each 64 hex digits. */
  hashes: string[];
  /** The signed checkpoint as text, with all its signatures. */
  checkpoint: string;
}

export interface ProofOutcome extends AttachedRecord {
  status: OutcomeStatus;
  output?: JsonValue;
  recordedAt: string;
  journalIndex: number;
  /** Who reported it; the id only if it is disclosed. */
  by?: { kind: string; id?: string };
}

export interface ProofKey {
  /** 8 hex digits. */
  keyId: string;
  /** The service. */
  name: string;
  /** The 32 bytes of the Ed25519 key in base64. */
  publicKey: string;
}

/** The inputs of both kinds of proofs. */
export interface ProofParts {
  schemaUrl: string;
  publicUrl: string;
  exportedAt: string;
  /** The id of the evidence for a decision, otherwise of the record itself. */
  id: string;
  /** Hashes in bare hex. */
  chain: { hash: string; previousHash: string | null; index: number; domain: string };
  record: { content: string | null; timestamp: string };
  erased?: Erased[];
  inclusion?: Inclusion | undefined;
  head?: Inclusion | undefined;
  publicKey?: ProofKey | undefined;
}

/** Throws a Refutation if content and disclosures do not match: an invalid record is not exported. */
export function decisionProof(
  parts: ProofParts & {
    disclosures: readonly string[];
    /** In the order of the approvals. */
    credentials?: readonly (Credential | undefined)[];
    /** The records of those passkeys. */
    registrations?: readonly AttachedRecord[];
    policies?: readonly Omit<AttachedRecord, 'disclosures'>[];
    outcome?: ProofOutcome | undefined;
    mandateProof?: ProofDocument | undefined;
  },
): ProofDocument {
  const { id, record, publicUrl, disclosures, credentials, registrations, policies } = parts;
  const { outcome, mandateProof } = parts;
  const disclosed = disclose(record.content ?? '', disclosures);
  const verifyUrl = verifyUrlOf(publicUrl, disclosed.event.id);
  const place = { verifyUrl, index: parts.chain.index, timestamp: record.timestamp };
  const { '@id': at, '@type': type, ...shown } = showDecision(disclosed, place, credentials);
  return {
    ...frame(parts, { '@id': at, '@type': type, id, ...shown, chain: chainOf(parts) }, verifyUrl),
    disclosures: [...disclosures],
    ...(registrations && registrations.length > 0 && { credentials: [...registrations] }),
    ...(policies && { policies: [...policies] }),
    ...rest(parts),
    ...(outcome && { outcome }),
    ...(mandateProof && { mandateProof }),
  };
}

/** The proof of a decision that was not approved, from the journal. */
export function rejectionProof(
  parts: ProofParts & {
    disclosures: readonly string[];
    credential?: Credential | undefined;
    registrations?: readonly AttachedRecord[];
  },
): ProofDocument {
  const { id, record, publicUrl, disclosures, credential, registrations } = parts;
  const disclosed = discloseRejection(record.content ?? '', disclosures);
  const verifyUrl = verifyUrlOf(publicUrl, disclosed.event.id);
  const place = { verifyUrl, index: parts.chain.index, timestamp: record.timestamp };
  const { '@id': at, '@type': type, ...shown } = showRejection(disclosed, place, credential);
  return {
    ...frame(parts, { '@id': at, '@type': type, id, ...shown, chain: chainOf(parts) }, verifyUrl),
    kind: 'rejection',
    disclosures: [...disclosures],
    ...(registrations && registrations.length > 0 && { credentials: [...registrations] }),
    ...rest(parts),
  };
}

export function platformProof(
  parts: ProofParts & { evidenceLevel: PlatformProofEvidence['evidenceLevel'] },
): ProofDocument {
  const { id, evidenceLevel, record, erased = [] } = parts;
  const verifyUrl = verifyUrlOf(parts.publicUrl, id);
  const deleted = erased.find(({ path }) => path === 'content');
  const evidence: PlatformProofEvidence = {
    '@id': verifyUrl,
    '@type': 'prov:Entity',
    id,
    decisionId: id,
    status: evidenceLevel === 'AUDIT_READY' ? 'sealed' : 'pending',
    evidenceLevel,
    content: record.content,
    ...(deleted && { erasedAt: deleted.at }),
    chain: chainOf(parts),
    createdAt: record.timestamp,
    sealedAt: evidenceLevel === 'AUDIT_READY' ? record.timestamp : null,
  };
  return { ...frame(parts, evidence, verifyUrl), ...rest(parts) };
}

function chainOf({ chain: { hash, previousHash, index, domain } }: ProofParts): ProofChain {
  return {
    hash: HASH_PREFIX + hash,
    previousHash: previousHash === null ? null : HASH_PREFIX + previousHash,
    index,
    domain,
  };
}

function frame(parts: ProofParts, evidence: ProofDocument['evidence'], verifyUrl: string) {
  const { chain } = evidence;
  return {
    '@context': `${parts.schemaUrl}/decision-proof/v2`,
    '@type': 'DecisionProof',
    version: '2.0',
    format: PROOF_FORMAT,
    exportedAt: parts.exportedAt,
    evidence,
    verification: {
      hashAlgorithm: 'SHA-256',
      chainDomain: chain.domain,
      chainIndex: chain.index,
      chainHash: chain.hash,
      previousHash: chain.previousHash,
      verifyUrl,
    },
    record: {
      content: parts.record.content,
      previousHash: parts.chain.previousHash ?? '',
      timestamp: parts.record.timestamp,
    },
  } as const;
}

function rest({ erased = [], inclusion, head, publicKey }: ProofParts) {
  return {
    ...(erased.length > 0 && { erased }),
    ...(inclusion && { inclusion }),
    ...(inclusion && head && { head }),
    ...(inclusion && publicKey && { publicKey }),
  };
}

export function isDecisionProofEvidence(
  evidence: ProofDocument['evidence'],
): evidence is DecisionProofEvidence {
  return 'approvals' in evidence;
}

export function isRejectionProofEvidence(
  evidence: ProofDocument['evidence'],
): evidence is RejectionProofEvidence {
  return 'rejectedAt' in evidence;
}
