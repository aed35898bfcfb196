// From what is stored to the export document. Pure: the same record always gives the same document.
import {
  type DecisionEvidence,
  type ExportApproval,
  type ExportDocument,
  type ExportEvent,
  HASH_PREFIX,
  type JsonValue,
  type PlatformEvidence,
  readSealedContent,
} from '../../../proof-kit/index.ts';
import type { DpuView } from '../dpu-row.ts';

/** What is known of a decision beside its sealed content. */
export interface DecisionFrame {
  evidenceId: string;
  createdAt: Date;
}

export interface ExportInput {
  dpu: DpuView;
  /** Null for records of the platform. */
  decision: DecisionFrame | null;
  responsibility: { [question: string]: JsonValue };
  proof: Pick<ExportDocument, 'inclusion' | 'publicKey'>;
  schemaUrl: string;
  publicUrl: string;
  now: Date;
}

export function buildDocument(input: ExportInput): ExportDocument {
  const { dpu, decision, proof, schemaUrl, publicUrl, now } = input;
  const chain = chainOf(dpu);
  const { evidence, verifyId } = decision ? decisionEvidence(input, decision) : platformEvidence(input);
  return {
    '@context': `${schemaUrl}/decision-proof/v2`,
    '@type': 'DecisionProof',
    version: '2.0',
    exportedAt: now.toISOString(),
    evidence,
    verification: {
      hashAlgorithm: 'SHA-256',
      chainDomain: chain.domain,
      chainIndex: chain.index,
      chainHash: chain.hash,
      previousHash: chain.previousHash,
      verifyUrl: `${publicUrl}/verify/${encodeURIComponent(verifyId)}`,
    },
    record: { content: dpu.content, previousHash: dpu.previousHash ?? '', timestamp: dpu.timestamp },
    ...proof,
  };
}

interface Evidence {
  evidence: DecisionEvidence | PlatformEvidence;
  /** By which id the public page finds it. */
  verifyId: string;
}

/** The readable part says what the sealed text says, because it is taken from there and from nowhere else. */
function decisionEvidence({ dpu, responsibility }: ExportInput, decision: DecisionFrame): Evidence {
  const sealed = readSealedContent(dpu.content);
  if (typeof sealed === 'string') throw new Error(`${dpu.id}: ${sealed}`);
  const event = sealed.event as unknown as ExportEvent;
  const approvals = sealed.approvals as unknown as ExportApproval[];
  const evidence: DecisionEvidence = {
    id: decision.evidenceId,
    decisionId: event.decisionId!,
    status: 'sealed',
    evidenceLevel: 'AUDIT_READY',
    event,
    approval: approvals.at(-1)!,
    ...(approvals.length > 1 && { approvals }),
    ...(sealed.policy && { policy: sealed.policy as { [field: string]: JsonValue } }),
    responsibility,
    chain: chainOf(dpu),
    sealedAt: dpu.timestamp,
    createdAt: decision.createdAt.toISOString(),
  };
  return { evidence, verifyId: event.id! };
}

function platformEvidence({ dpu, responsibility }: ExportInput): Evidence {
  const evidence: PlatformEvidence = {
    id: dpu.id,
    decisionId: dpu.id,
    status: dpu.evidenceLevel === 'AUDIT_READY' ? 'sealed' : 'pending',
    evidenceLevel: dpu.evidenceLevel,
    content: dpu.content,
    metadata: dpu.metadata as { [key: string]: JsonValue },
    responsibility,
    chain: chainOf(dpu),
    createdAt: dpu.timestamp,
    sealedAt: dpu.sealedAt?.toISOString() ?? null,
  };
  return { evidence, verifyId: dpu.id };
}

function chainOf({ chainHash, previousHash, chainIndex, domain }: DpuView) {
  return {
    hash: HASH_PREFIX + chainHash,
    previousHash: previousHash === null ? null : HASH_PREFIX + previousHash,
    index: chainIndex,
    domain,
  };
}
