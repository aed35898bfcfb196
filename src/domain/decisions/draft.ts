import type { SealedAuthor } from '@countersign/proof-kit/author';
import type { DecisionSource } from '../../db/generated/prisma/enums.ts';
import type { IdempotencyClaim } from '../idempotency/claim.ts';
import type { KeptAuthor } from '../ledger/chains/journal.ts';
import type { ReceiptPlace } from '../ledger/receipt.ts';
import type { EventContent, Salts } from './content.ts';

/** An event ready to be inserted. */
export interface EventDraft {
  centerId: number;
  evidenceId: string;
  dpuId: string;
  source: DecisionSource;
  idempotencyKey: string | null;
  bodyHash: string | null;
  event: EventContent;
  /** The author, as named on the journal and as stored. */
  by: SealedAuthor;
  author: KeptAuthor;
  salts: Salts;
  awaitsApproval: boolean;
  expiresAt: string | null;
  /** When a job seals it if the request has not; null for a decision that waits for a person. */
  sealJobAt: string | null;
  contentHash: string;
  /** The position of its entry on the journal, once written. */
  entry: ReceiptPlace | null;
  /** The caller's Idempotency-Key, marked as completed together with the event. */
  claim: IdempotencyClaim | null;
  /** The result stored under that key. */
  kept: string | null;
}

/**
 * The API key that an idempotency key belongs to: that of an agent's decision is the Idempotency-Key of a caller. All others
 * belong to the center (null).
 */
export const keyOwner = ({ source, author }: Pick<EventDraft, 'source' | 'author'>): string | null =>
  source === 'AGENT' ? (author.id ?? null) : null;

/** The same of a stored event `e`, as in the unique index. */
export const KEY_OWNER = `(CASE WHEN e.source = 'AGENT' THEN e.by_id END)`;

/** Inserts events and their journal entries in batches across callers. */
export interface Recorder {
  /** False if the event's idempotency key already has an event. */
  record(draft: EventDraft): Promise<boolean>;
  close(): Promise<void>;
}
