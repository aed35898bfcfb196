/**
 * The proof as a document: everything needed to verify a record without contacting the service that made it. Three kinds share
 * one form. The proof of a *decision* shows its record's plain content and disclosures; that of a *rejection* shows the
 * journal entry of a decision that was not approved; that of a *platform record* shows the record's text. Some labels are not
 * proven: `exportedAt`, `evidence.id`, and the level and status of a platform record.
 */
import { disclose, discloseRejection } from './disclose.ts';
import {
  type AttachedRecord,
  type DecisionProofEvidence,
  type Erased,
  type Inclusion,
  type OwnHead,
  type PlatformProofEvidence,
  PROOF_FORMAT,
  type ProofChain,
  type ProofDocument,
  type ProofKey,
  type ProofOutcome,
  type RejectionProofEvidence,
} from './proof-form.ts';
import { HASH_PREFIX } from './record.ts';
import {
  type Credential,
  type SealedPlace,
  type ShownDecision,
  type ShownRejection,
  showDecision,
  showRejection,
  verifyUrlOf,
} from './shown.ts';

export type * from './proof-form.ts';
export { PROOF_FORMAT };

/** The inputs of both kinds of proofs. */
export interface ProofParts {
  schemaUrl: string;
  publicUrl: string;
  exportedAt: string;
  /** The id of the evidence for a decision, otherwise of the record itself. */
  id: string;
  /** Hashes in bare hex. */
  chain: ProofChain;
  record: { content: string | null; timestamp: string };
  erased?: Erased[];
  inclusion?: Inclusion | undefined;
  head?: OwnHead | undefined;
  publicKey?: ProofKey | undefined;
}

/** The disclosures of a decision, and the records of the passkeys that signed it. */
interface DecisionParts extends ProofParts {
  disclosures: readonly string[];
  registrations?: readonly AttachedRecord[];
}

/** Throws a Refutation if content and disclosures do not match: an invalid record is not exported. */
export function decisionProof(
  parts: DecisionParts & {
    /** In the order of the approvals. */
    credentials?: readonly (Credential | undefined)[];
    policies?: readonly Omit<AttachedRecord, 'disclosures'>[];
    groups?: readonly AttachedRecord[];
    delegations?: readonly AttachedRecord[];
    outcome?: ProofOutcome | undefined;
    mandateProof?: ProofDocument | undefined;
  },
): ProofDocument {
  const { credentials, policies, groups = [], delegations = [], outcome, mandateProof } = parts;
  const disclosed = disclose(parts.record.content ?? '', parts.disclosures);
  const place = placeOf(parts, disclosed.event.id);
  return {
    ...frameDecision(parts, showDecision(disclosed, place, credentials)),
    ...(policies && { policies: [...policies] }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(delegations.length > 0 && { delegations: [...delegations] }),
    ...rest(parts),
    ...(outcome && { outcome }),
    ...(mandateProof && { mandateProof }),
  };
}

/** The proof of a decision that was not approved, from the journal. */
export function rejectionProof(
  parts: DecisionParts & { credential?: Credential | undefined },
): ProofDocument {
  const disclosed = discloseRejection(parts.record.content ?? '', parts.disclosures);
  const place = placeOf(parts, disclosed.event.id);
  return {
    ...frameDecision(parts, showRejection(disclosed, place, parts.credential), { kind: 'rejection' }),
    ...rest(parts),
  };
}

function placeOf({ publicUrl, chain, record }: ProofParts, eventId: string): SealedPlace {
  return { verifyUrl: verifyUrlOf(publicUrl, eventId), index: chain.index, timestamp: record.timestamp };
}

function frameDecision(
  parts: DecisionParts,
  { '@id': at, '@type': type, ...shown }: ShownDecision | ShownRejection,
  kind: Pick<ProofDocument, 'kind'> = {},
) {
  const { id, disclosures, registrations = [] } = parts;
  return {
    ...frame(parts, { '@id': at, '@type': type, id, ...shown, chain: chainOf(parts) }, at),
    ...kind,
    disclosures: [...disclosures],
    ...(registrations.length > 0 && { credentials: [...registrations] }),
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
