import type { ChainDomain, Vertical } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';
import type { EvidenceLevel } from '../ledger/chains/levels.ts';

/** A decision proof unit with its record on the chain. */
export interface DpuView {
  id: string;
  centerId: number;
  chainId: number;
  chainIndex: number;
  domain: ChainDomain;
  vertical: Vertical;
  evidenceLevel: EvidenceLevel;
  aiGenerated: boolean;
  referenceType: string | null;
  referenceId: string | null;
  actorId: string | null;
  tags: string[];
  metadata: Record<string, unknown>;
  createdAt: Date;
  sealedAt: Date | null;
  salt: string | null;
  journalIndex: number | null;
  /** When and why the content was erased. It is empty then, and its hash stays. */
  erasedAt: Date | null;
  erasedReason: string | null;
  content: string;
  chainHash: string;
  previousHash: string | null;
  timestamp: string;
}

/** If the record was removed by bypassing the application, the DPU has no content. */
export type DpuRow = Omit<DpuView, 'content'> & { content: string | null };

export const DPU_COLUMNS = `
  d.id, d.center_id AS "centerId", d.chain_id AS "chainId", d.index AS "chainIndex", d.domain, d.vertical,
  d.evidence_level AS "evidenceLevel", d.ai_generated AS "aiGenerated", d.reference_type AS "referenceType",
  d.reference_id AS "referenceId", d.actor_id AS "actorId", d.tags, d.metadata, d.created_at AS "createdAt",
  d.sealed_at AS "sealedAt", d.salt, d.journal_index AS "journalIndex", d.erased_at AS "erasedAt", d.erased_reason AS "erasedReason", r.content, r.hash AS "chainHash", r.previous_hash AS "previousHash", r.timestamp`;

export const DPU_SOURCE = 'dpu d LEFT JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index';

export function requireRecord(row: DpuRow): DpuView {
  if (row.content === null) {
    throw new DomainError(
      'CHAIN_BROKEN',
      'The record of this decision proof unit is missing from its chain.',
    );
  }
  return row as DpuView;
}
