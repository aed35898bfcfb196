import { EVENT } from '@countersign/proof-kit/decision';
import type { DecisionEventStatus } from '../../db/generated/prisma/enums.ts';
import { columnsOf, type RowOf, sql, typed } from '../../db/sql.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Author } from '../principal.ts';
import {
  type ApprovalContent,
  DOCUMENT_ROW,
  type Erased,
  type EventContent,
  type Salts,
  whole,
} from './content.ts';

/**
 * What lists and policies need of a decision. Its texts, its input and its output can have 600 kB, so they are read only where
 * they are selected (read/contents.ts). `aiContext` is empty and only says that there is one.
 */
export type EventHead = Omit<EventContent, 'action' | 'aiContext'> & {
  action: Pick<EventContent['action'], 'type'>;
  aiContext?: object;
};

const OWN_COLUMNS = {
  id: 'text',
  center_id: 'int',
  evidence_id: 'text',
  dpu_id: 'text',
  source: 'decision_source',
  status: 'decision_event_status',
  awaits_approval: 'boolean',
  content_hash: 'text',
  journal_index: 'int',
  by_kind: 'approved_by_kind?',
  by_id: 'text?',
  by_salt: 'text?',
  expires_at: 'timestamptz?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const;
const PLACE = { chain_hash: 'text?', chain_index: 'int?' } as const;

export const HEAD_ROW = {
  ...OWN_COLUMNS,
  large_bytes: 'int?',
  head: typed<EventHead>('jsonb'),
  erased: typed<Erased | null>('json'),
  ...PLACE,
} as const;

export const OWN_EVENT_ROW = {
  ...OWN_COLUMNS,
  ...DOCUMENT_ROW,
  content: typed<EventContent>('jsonb'),
} as const;

export const EVENT_ROW = { ...OWN_EVENT_ROW, ...PLACE } as const;

export const APPROVAL_ROW = {
  id: 'text',
  event_id: 'text',
  content: typed<ApprovalContent>('jsonb'),
  salts: typed<Salts>('json'),
  erased: typed<Erased | null>('json'),
  content_hash: 'text',
  journal_index: 'int?',
  created_at: 'timestamptz',
} as const;

/** The columns of an event in a list, with the list's total. */
export const LISTED_ROW = {
  id: 'text',
  decision_id: 'text?',
  type: 'decision_event_type',
  status: 'decision_event_status',
  actor_id: 'text?',
  actor_type: typed<EventContent['actor']['type']>('text'),
  actor_name: 'text?',
  action_type: 'text',
  tags: 'text[]',
  created_ms: 'float8',
  updated_ms: 'float8',
  total: 'int',
} as const;

/** A decision event without its free-form members. */
export type HeadRow = RowOf<typeof HEAD_ROW>;
/** A whole decision event: its document and its own columns. */
export type OwnEventRow = RowOf<typeof OWN_EVENT_ROW>;
/** The same with its position on the chain. */
export type EventRow = RowOf<typeof EVENT_ROW>;
export type ApprovalRow = RowOf<typeof APPROVAL_ROW>;
export type ListedRow = RowOf<typeof LISTED_ROW>;

/** A decision event as the API shows it. */
export interface DecisionEventView {
  id: string;
  dpuId: string;
  status: DecisionEventStatus;
  awaitsApproval: boolean;
  /** Erased members are missing. */
  head: EventHead;
  /** The whole content, if this call recorded it; null if it has not been read. */
  content: EventContent | null;
  /** The size of its input and output as stored; null if it has none, or was recorded by an earlier version. */
  largeBytes: number | null;
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
export const OWN_EVENT_COLUMNS = columnsOf('e', OWN_EVENT_ROW);

/** Its position on the chain, from `ledger_record r`. */
const PLACE_COLUMNS = 'r.hash AS chain_hash, r.index AS chain_index';

export const EVENT_COLUMNS = `${OWN_EVENT_COLUMNS}, ${PLACE_COLUMNS}`;

export const HEAD_COLUMNS = `${columnsOf('e', OWN_COLUMNS)}, e.large_bytes, e.erased,
  jsonb_set(e.content #- '{action,description}', '{aiContext}', '{}', false) AS head, ${PLACE_COLUMNS}`;

/** Columns of `approval a`. */
export const APPROVAL_COLUMNS = columnsOf('a', APPROVAL_ROW);

export const EVENT_SOURCE = `decision_event e
  LEFT JOIN dpu d ON d.id = e.dpu_id
  LEFT JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index`;

export const EVENT_BY_ID = sql('decision_event_by_id', EVENT_ROW)`
  SELECT ${EVENT_COLUMNS} FROM ${EVENT_SOURCE} WHERE e.id = $id AND e.center_id = $centerId`;

export function toView(row: HeadRow): DecisionEventView {
  return {
    id: row.id,
    dpuId: row.dpu_id,
    status: row.status,
    awaitsApproval: row.awaits_approval,
    head: row.head,
    content: null,
    largeBytes: row.large_bytes,
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
export const toContent = (row: OwnEventRow): EventContent => whole(EVENT, row);

export const eventNotFound = () => new DomainError('NOT_FOUND', 'Decision event not found.');
