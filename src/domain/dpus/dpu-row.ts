import { type RowOf, typed } from '../../db/sql.ts';
import { DomainError } from '../../lib/errors.ts';

export const DPU_ROW = {
  id: 'text',
  centerId: 'int',
  chainId: 'int',
  chainIndex: 'int',
  domain: 'chain_domain',
  vertical: 'vertical',
  evidenceLevel: 'evidence_level',
  aiGenerated: 'boolean',
  referenceType: 'text?',
  referenceId: 'text?',
  actorId: 'text?',
  tags: 'text[]',
  metadata: typed<Record<string, unknown>>('json'),
  createdAt: 'timestamptz',
  sealedAt: 'timestamptz?',
  salt: 'text?',
  journalIndex: 'int?',
  /** When and why the content was erased. It is empty then, and its hash stays. */
  erasedAt: 'timestamptz?',
  erasedReason: 'text?',
  /** Null if the record was removed by bypassing the application. */
  content: 'text?',
  chainHash: 'text',
  previousHash: 'text?',
  timestamp: 'text',
} as const;

export type DpuRow = RowOf<typeof DPU_ROW>;

/** A decision proof unit with its record on the chain. */
export type DpuView = DpuRow & { content: string };

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
