import { EVENT } from '@countersign/proof-kit/decision';
import type {
  ApprovedByKind,
  DecisionEventStatus,
  DecisionEventType,
  DecisionSource,
} from '../../db/generated/prisma/enums.ts';
import { sql } from '../../db/sql.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Author } from '../principal.ts';
import {
  type ApprovalContent,
  type Erased,
  type EventContent,
  type StoredDocument,
  whole,
} from './content.ts';

/** A decision event as the hot paths read it: its document, its own columns and its position on the chain. */
export interface EventRow extends StoredDocument<EventContent> {
  id: string;
  center_id: number;
  evidence_id: string;
  dpu_id: string;
  source: DecisionSource;
  status: DecisionEventStatus;
  awaits_approval: boolean;
  content_hash: string;
  journal_index: number;
  by_kind: ApprovedByKind | null;
  by_id: string | null;
  by_salt: string | null;
  expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
  chain_hash: string | null;
  chain_index: number | null;
}

export interface ApprovalRow extends StoredDocument<ApprovalContent> {
  id: string;
  event_id: string;
  content_hash: string;
  journal_index: number | null;
  created_at: Date;
}

/** The columns of an event in a list, with the list's total. */
export interface ListedRow {
  id: string;
  decision_id: string | null;
  type: DecisionEventType;
  status: DecisionEventStatus;
  actor_id: string | null;
  actor_type: EventContent['actor']['type'];
  actor_name: string | null;
  action_type: string;
  tags: string[];
  created_ms: number;
  updated_ms: number;
  total: number;
}

/** A decision event as the API shows it. */
export interface DecisionEventView {
  id: string;
  dpuId: string;
  status: DecisionEventStatus;
  awaitsApproval: boolean;
  /** What is sealed. Erased members are missing. */
  content: EventContent;
  /** Erased members of the event itself. */
  erased: Erased | null;
  contentHash: string;
  /** The position of its journal entry, if the event was just recorded. */
  entry: { index: number; hash: string; timestamp: string } | null;
  /** The author. */
  requester: Author | null;
  /** When a pending decision is rejected; null if it does not expire. */
  expiresAt: Date | null;
  evidence: { id: string; status: 'pending' | 'sealed'; chainHash: string | null; chainIndex: number | null };
  createdAt: Date;
  updatedAt: Date;
}

/** Columns of `decision_event e`. */
export const OWN_EVENT_COLUMNS = `e.id, e.center_id, e.evidence_id, e.dpu_id, e.source, e.status, e.awaits_approval,
  e.content, e.large, e.salts, e.erased, e.content_hash, e.journal_index, e.by_kind, e.by_id, e.by_salt, e.expires_at,
  e.created_at, e.updated_at`;

/** The same with its position on the chain, from `ledger_record r`. */
export const EVENT_COLUMNS = `${OWN_EVENT_COLUMNS}, r.hash AS chain_hash, r.index AS chain_index`;

export const EVENT_SOURCE = `decision_event e
  LEFT JOIN dpu d ON d.id = e.dpu_id
  LEFT JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index`;

export const EVENT_BY_ID = sql<EventRow>('decision_event_by_id')`
  SELECT ${EVENT_COLUMNS} FROM ${EVENT_SOURCE} WHERE e.id = $id AND e.center_id = $centerId`;

export function toView(row: EventRow): DecisionEventView {
  return {
    id: row.id,
    dpuId: row.dpu_id,
    status: row.status,
    awaitsApproval: row.awaits_approval,
    content: toContent(row),
    erased: row.erased,
    contentHash: row.content_hash,
    entry: null,
    requester: requesterOf(row),
    expiresAt: row.expires_at,
    evidence: {
      id: row.evidence_id,
      status: row.chain_hash === null ? 'pending' : 'sealed',
      chainHash: row.chain_hash,
      chainIndex: row.chain_index,
    },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function requesterOf({
  by_kind: kind,
  by_id: id,
}: Pick<EventRow, 'by_kind' | 'by_id'>): Author | null {
  return kind && { kind, ...(id !== null && { id }) };
}

/** The content of a stored event: the same as when it was recorded, except for erased members. */
export const toContent = (row: EventRow): EventContent => whole(EVENT, row);

export const eventNotFound = () => new DomainError('NOT_FOUND', 'Decision event not found.');
