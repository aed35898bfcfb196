/**
 * The proof as a document: everything an outsider needs to check a record without asking the service that made it.
 *
 * Two kinds share one form. The proof of a *decision* shows what its record says in the open and what its disclosures add. The proof
 * of a *platform record* shows the record's text. Labels are proven by nothing: `exportedAt`, `@context`, `evidence.id`, and of a
 * platform record its level with its status.
 */
import type { JsonValue } from './canonical.ts';
import { disclose } from './disclose.ts';
import { HASH_PREFIX } from './record.ts';
import { type Credential, type ShownDecision, showDecision, verifyUrlOf } from './shown.ts';

export interface ProofDocument {
  /** `{schema_url}/decision-proof/v2` */
  '@context': string;
  '@type': 'DecisionProof';
  version: '2.0';
  exportedAt: string;
  evidence: DecisionProofEvidence | PlatformProofEvidence;
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
  /** Of a decision: the texts that open its digests. */
  disclosures?: string[];
  /** What was deleted from it since. */
  erased?: Erased[];
  /** Present once a checkpoint covers the record. */
  inclusion?: Inclusion;
  /** Present once the head log covers that checkpoint. */
  head?: Inclusion;
  outcome?: ProofOutcome;
  /** The key that signed. A reader who trusts nobody yet compares it with the published one. */
  publicKey?: ProofKey;
}

export interface ProofChain {
  hash: string;
  previousHash: string | null;
  index: number;
  domain: string;
}

export interface DecisionProofEvidence extends ShownDecision {
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
  /** Equal to the record's content: null where it is withheld, empty once it is erased. */
  content: string | null;
  erasedAt?: string;
  chain: ProofChain;
  createdAt: string;
  /** When it was fixed on the chain, not when its level was raised; null while it is not sealed. */
  sealedAt: string | null;
}

/** What was hashed. Hashes are bare hex here. */
export interface ProofRecord {
  content: string | null;
  /** The empty string for the first record of a chain. */
  previousHash: string;
  timestamp: string;
}

export interface Erased {
  path: string;
  at: string;
  reason: string | null;
}

export interface Inclusion {
  leafIndex: number;
  treeSize: number;
  /** RFC 9162 inclusion proof, leaf side first, each 64 hex digits. */
  hashes: string[];
  /** The signed checkpoint, as text, with every signature under it. */
  checkpoint: string;
}

export interface ProofOutcome {
  status: 'executed' | 'failed';
  output?: JsonValue;
  recordedAt: string;
  journalIndex: number;
  /** The record on the journal. */
  record: ProofRecord & { content: string };
  disclosures: string[];
  inclusion?: Inclusion;
}

export interface ProofKey {
  /** 8 hex digits. */
  keyId: string;
  /** The service. */
  name: string;
  /** The 32 bytes of the Ed25519 key in base64. */
  publicKey: string;
}

/** What the proofs of both kinds are made from. */
export interface ProofParts {
  schemaUrl: string;
  publicUrl: string;
  exportedAt: string;
  /** Of the evidence for a decision, of the record itself otherwise. */
  id: string;
  /** Hashes bare. */
  chain: { hash: string; previousHash: string | null; index: number; domain: string };
  record: { content: string | null; timestamp: string };
  erased?: Erased[];
  inclusion?: Inclusion | undefined;
  head?: Inclusion | undefined;
  publicKey?: ProofKey | undefined;
}

/** Throws a Refutation when content and disclosures do not fit: what does not hold is not certified. */
export function decisionProof(
  parts: ProofParts & {
    disclosures: readonly string[];
    /** In the order of the approvals. */
    credentials?: readonly (Credential | undefined)[];
    outcome?: ProofOutcome | undefined;
  },
): ProofDocument {
  const { id, record, publicUrl, disclosures, credentials, outcome } = parts;
  const disclosed = disclose(record.content ?? '', disclosures);
  const verifyUrl = verifyUrlOf(publicUrl, disclosed.event.id);
  const place = { verifyUrl, index: parts.chain.index, timestamp: record.timestamp };
  const { '@id': at, '@type': type, ...shown } = showDecision(disclosed, place, credentials);
  return {
    ...frame(parts, { '@id': at, '@type': type, id, ...shown, chain: chainOf(parts) }, verifyUrl),
    disclosures: [...disclosures],
    ...rest(parts),
    ...(outcome && { outcome }),
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
  return 'event' in evidence;
}
