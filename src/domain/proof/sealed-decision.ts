import { canonicalJson } from '@countersign/proof-kit/canonical';
import { type DisclosedDecision, disclose, Refutation } from '@countersign/proof-kit/disclose';
import type { Database, Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';
import { type ApprovalRow, toApproval } from './approval-rows.ts';
import { resealApproval, resealEvent } from './content.ts';
import { type ErasedMember, erasedMembers } from './erased.ts';
import { EVENT_COLUMNS, EVENT_SOURCE, type EventRow, toContent } from './row.ts';

/** A sealed decision: what the chain holds of it, and everything that discloses it. */
export interface SealedDecision {
  row: EventRow;
  /** In the order in which they were given. */
  approvals: ApprovalRow[];
  /** The exact text that was hashed. */
  content: string;
  /** What it says, as far as it is not erased; nothing of it comes from anywhere but the content and the disclosures. */
  disclosed: DisclosedDecision;
  /** By path, the texts that disclose the event and each of its approvals. */
  disclosures: Record<string, string>[];
  erased: ErasedMember[];
  hash: string;
  previousHash: string | null;
  timestamp: string;
}

interface Row extends EventRow {
  content: string;
  previous_hash: string | null;
  timestamp: string;
}

type Key = 'id' | 'evidence_id' | 'dpu_id';

const decisionBy = (key: Key) => sql<Row>(`sealed_decision_by_${key}`)`
  SELECT ${EVENT_COLUMNS}, r.content, r.previous_hash, r.timestamp FROM ${EVENT_SOURCE}
  WHERE e.${key} = $id AND e.center_id = $centerId`;
const DECISION_BY = {
  id: decisionBy('id'),
  evidence_id: decisionBy('evidence_id'),
  dpu_id: decisionBy('dpu_id'),
};

/** Read from the ledger, and only disclosed from the event's own row: what is shown is what was sealed. */
export async function findSealedDecision(
  database: Database,
  centerId: number,
  key: Key,
  id: string,
): Promise<SealedDecision | null> {
  const db = database.declared([centerId]);
  const [row] = await DECISION_BY[key].rows(db, { id, centerId });
  if (row?.status !== 'sealed') return null;
  // Sealed by its own word, but nowhere on the chain.
  if (row.chain_hash === null) throw broken();
  return open(row, row.chain_hash, await approvalsOf(db, row.id));
}

const APPROVALS_OF_EVENT = sql<ApprovalRow>('approvals_of_event')`
  SELECT * FROM approval WHERE event_id = $eventId ORDER BY created_at, journal_index NULLS LAST, id`;

async function approvalsOf(db: Queryable, eventId: string): Promise<ApprovalRow[]> {
  const rows = await APPROVALS_OF_EVENT.rows(db, { eventId });
  return rows;
}

function open(row: Row, hash: string, approvals: ApprovalRow[]): SealedDecision {
  const event = resealEvent(toContent(row), row.salts, row.erased);
  const said = approvals.map((each) => resealApproval(toApproval(each), each.salts, each.erased));
  const disclosures = [event.disclosed, ...said.map(({ disclosed }) => disclosed)];
  const { content, previous_hash: previousHash, timestamp } = row;
  const disclosed = opened(content, disclosures.flatMap(Object.values));
  // Without this, a row that is gone would look like something that is merely withheld.
  const kept = canonicalJson([event.sealed, said.map(({ sealed }) => sealed)]);
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
  return new DomainError('CHAIN_BROKEN', 'The decision is not what was sealed.', { cause });
}
