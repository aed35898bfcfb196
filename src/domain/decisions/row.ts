import type {
  ApprovedByKind,
  DecisionEventStatus,
  DecisionEventType,
  DecisionSource,
  EventActorType,
} from '../../db/generated/prisma/enums.ts';
import { sql } from '../../db/sql.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Author } from '../principal.ts';
import type { Erased, EventContent, Salts } from './content.ts';

/** A decision event as the hot paths read it: its own columns and its position on the chain. */
export interface EventRow {
  id: string;
  center_id: number;
  decision_id: string;
  evidence_id: string;
  dpu_id: string;
  source: DecisionSource;
  type: DecisionEventType;
  status: DecisionEventStatus;
  actor_id: string;
  actor_type: EventActorType;
  actor_name: string | null;
  action_type: string;
  action_description: string | null;
  action_input: Record<string, unknown> | null;
  action_output: Record<string, unknown> | null;
  ai_context: NonNullable<EventContent['aiContext']> | null;
  risk_score: number | null;
  awaits_approval: boolean;
  tags: string[];
  salts: Salts;
  erased: Erased | null;
  content_hash: string;
  journal_index: number;
  by_kind: ApprovedByKind | null;
  by_id: string | null;
  by_salt: string | null;
  expires_at: Date | null;
  occurred_at: Date;
  created_at: Date;
  updated_at: Date;
  chain_hash: string | null;
  chain_index: number | null;
}

/** The columns of an event in a list, with the list's total. */
export interface ListedRow
  extends Pick<
    EventRow,
    'id' | 'decision_id' | 'type' | 'status' | 'actor_id' | 'actor_type' | 'actor_name'
  > {
  action_type: string;
  tags: string[];
  created_ms: number;
  updated_ms: number;
  total: number;
}

/** A decision event in the API's form. */
export interface DecisionEventView {
  id: string;
  decisionId: string;
  dpuId: string;
  type: DecisionEventType;
  status: DecisionEventStatus;
  actor: { id: string; type: EventActorType; name: string | null };
  action: {
    type: string;
    description: string | null;
    input: Record<string, unknown> | null;
    output: Record<string, unknown> | null;
  };
  aiContext: EventContent['aiContext'] | null;
  riskScore: number | null;
  awaitsApproval: boolean;
  tags: string[];
  /** Erased members of the event itself. */
  erased: Erased | null;
  contentHash: string;
  /** The position of its journal entry, if the event was just recorded. */
  entry: { index: number; hash: string; timestamp: string } | null;
  /** The author. */
  requester: Author | null;
  /** When a pending decision is rejected; null if it does not expire. */
  expiresAt: Date | null;
  occurredAt: Date;
  evidence: { id: string; status: 'pending' | 'sealed'; chainHash: string | null; chainIndex: number | null };
  createdAt: Date;
  updatedAt: Date;
}

/** Columns of `decision_event e`. */
export const OWN_EVENT_COLUMNS = `e.id, e.center_id, e.decision_id, e.evidence_id, e.dpu_id, e.source, e.type, e.status,
  e.actor_id, e.actor_type, e.actor_name, e.action_type, e.action_description, e.action_input, e.action_output,
  e.ai_context, e.risk_score, e.awaits_approval, e.tags, e.salts, e.erased, e.content_hash,
  e.journal_index, e.by_kind, e.by_id, e.by_salt, e.expires_at, e.occurred_at, e.created_at, e.updated_at`;

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
    decisionId: row.decision_id,
    dpuId: row.dpu_id,
    type: row.type,
    status: row.status,
    actor: { id: row.actor_id, type: row.actor_type, name: row.actor_name },
    action: {
      type: row.action_type,
      description: row.action_description,
      input: row.action_input,
      output: row.action_output,
    },
    aiContext: row.ai_context,
    riskScore: row.risk_score,
    awaitsApproval: row.awaits_approval,
    tags: row.tags,
    erased: row.erased,
    contentHash: row.content_hash,
    entry: null,
    requester: requesterOf(row),
    expiresAt: row.expires_at,
    occurredAt: row.occurred_at,
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
export function toContent(row: EventRow): EventContent {
  return {
    id: row.id,
    decisionId: row.decision_id,
    type: row.type,
    actor: {
      id: row.actor_id,
      type: row.actor_type,
      ...(row.actor_name !== null && { name: row.actor_name }),
    },
    action: {
      type: row.action_type,
      ...(row.action_description !== null && { description: row.action_description }),
      ...(row.action_input !== null && { input: row.action_input }),
      ...(row.action_output !== null && { output: row.action_output }),
    },
    ...(row.ai_context !== null && { aiContext: row.ai_context }),
    ...(row.risk_score !== null && { riskScore: row.risk_score }),
    tags: row.tags,
    occurredAt: row.occurred_at.toISOString(),
  };
}

export const eventNotFound = () => new DomainError('NOT_FOUND', 'Decision event not found.');
