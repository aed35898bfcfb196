import { canonicalJson } from '@countersign/proof-kit/canonical';
import { APPROVAL, EVENT } from '@countersign/proof-kit/decision';
import { type DisclosedDecision, disclose } from '@countersign/proof-kit/disclose';
import { Refutation } from '@countersign/proof-kit/sealed-content';
import type { Database } from '../../../db/database.ts';
import { type RowOf, sql } from '../../../db/sql.ts';
import { sha256Hex } from '../../../lib/crypto.ts';
import { DomainError } from '../../../lib/errors.ts';
import { reseal } from '../content.ts';
import { type ErasedMember, erasedMembers } from '../erased.ts';
import {
  APPROVAL_COLUMNS,
  APPROVAL_ROW,
  type ApprovalRow,
  EVENT_COLUMNS,
  EVENT_ROW,
  EVENT_SOURCE,
  type EventRow,
} from '../row.ts';

/** A sealed decision: its content on the chain, and all disclosures. */
export interface SealedDecision {
  row: EventRow;
  /** In the order in which they were given. */
  approvals: ApprovalRow[];
  /** The exact text that was hashed. */
  content: string;
  /** The disclosed content, except for erased members. Comes only from the sealed content and the disclosures. */
  disclosed: DisclosedDecision;
  /** Disclosures of the event and of each approval, by path. */
  disclosures: Record<string, string>[];
  erased: ErasedMember[];
  hash: string;
  previousHash: string | null;
  timestamp: string;
}

const SEALED_ROW = {
  ...EVENT_ROW,
  sealed_content: 'text',
  previous_hash: 'text?',
  timestamp: 'text',
} as const;
const decisionBy = (key: string) => `
  SELECT ${EVENT_COLUMNS}, r.content AS sealed_content, r.previous_hash, r.timestamp FROM ${EVENT_SOURCE}
  WHERE e.${key} = $id AND e.center_id = $centerId`;
const DECISION_BY = {
  id: sql('sealed_decision_by_id', SEALED_ROW)`${decisionBy('id')}`,
  evidence_id: sql('sealed_decision_by_evidence_id', SEALED_ROW)`${decisionBy('evidence_id')}`,
  dpu_id: sql('sealed_decision_by_dpu_id', SEALED_ROW)`${decisionBy('dpu_id')}`,
};

/** The content comes from the ledger and only the disclosures from the event's row, so what is shown is what was sealed. */
export async function findSealedDecision(
  database: Database,
  centerId: number,
  key: keyof typeof DECISION_BY,
  id: string,
): Promise<SealedDecision | null> {
  const db = database.declared([centerId]);
  const [row] = await DECISION_BY[key].rows(db, { id, centerId });
  if (row?.status !== 'sealed') return null;
  // The row says that it is sealed, but it is not on the chain.
  if (row.chain_hash === null) throw broken();
  return open(row, row.chain_hash, await APPROVALS_OF_EVENT.rows(db, { eventId: row.id }));
}

const APPROVALS_OF_EVENT = sql('approvals_of_event', APPROVAL_ROW)`
  SELECT ${APPROVAL_COLUMNS} FROM approval a WHERE event_id = $eventId ORDER BY created_at, journal_index NULLS LAST, id`;

function open(row: RowOf<typeof SEALED_ROW>, hash: string, approvals: ApprovalRow[]): SealedDecision {
  const event = reseal(EVENT, row);
  const resealed = approvals.map((each) => reseal(APPROVAL, each));
  const disclosures = [event.disclosed, ...resealed.map(({ disclosed }) => disclosed)];
  const { sealed_content: content, previous_hash: previousHash, timestamp } = row;
  const disclosed = opened(content, disclosures.flatMap(Object.values));
  // Without this check, a missing row would look like a withheld value.
  const kept = canonicalJson([event.sealed, resealed.map(({ sealed }) => sealed)]);
  const isWhole = kept === canonicalJson([disclosed.content.event, disclosed.content.approvals]);
  if (!isWhole || sha256Hex(content + (previousHash ?? '') + timestamp) !== hash) throw broken();
  return {
    row,
    approvals,
    content,
    disclosed,
    disclosures,
    erased: erasedMembers([row, ...approvals].map(({ erased }) => erased)),
    hash,
    previousHash,
    timestamp,
  };
}

function opened(content: string, disclosures: string[]): DisclosedDecision {
  try {
    return disclose(content, disclosures);
  } catch (error) {
    if (error instanceof Refutation) throw broken(error);
    throw error;
  }
}

function broken(cause?: unknown): DomainError {
  return new DomainError('CHAIN_BROKEN', 'The decision differs from what was sealed.', { cause });
}
