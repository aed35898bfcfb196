// Types of the sealer. A caller submits a request of some kind; the kind decides for a whole batch of requests what to write;
// the sealer writes it to the chains.
import type { PoolClient } from '../../../db/database.ts';
import type { ChainDomain } from '../../../db/generated/prisma/enums.ts';
import type { Statement } from '../../../db/sql.ts';
import type { AuditDraft } from '../../audit/entry.ts';
import type { EventDraft } from '../../events/catalog.ts';
import type { IdempotencyClaim } from '../../idempotency/claim.ts';
import type { Place } from '../chains/chains.ts';
import type { JournalContent } from '../chains/journal.ts';
import type { DpuDraft } from '../chains/new-dpu.ts';

/** Events and entries written along with a request. Callbacks receive the record's position once it is known. */
interface Accompanying<At> {
  events?: (place: At) => EventDraft[];
  audit?: (place: At) => AuditDraft[];
  journal?: (place: At) => JournalContent[];
  /** Lower bound for the batch's timestamp: the subject may carry a time from another process's clock. */
  notBefore?: Date;
}

/** An admitted request that adds a record to a chain. A record at AUDIT_READY emits dpu.sealed. */
export interface Draft<Result> extends Accompanying<Place> {
  domain: 'platform' | 'proof';
  /** The exact text that is hashed. A function if it depends on records that the same batch links before this one. */
  content: string | (() => string);
  /** Called when the record is linked, before the next record of the batch. */
  linked?: (place: Place) => void;
  /** Upper bound for the batch's timestamp. */
  notAfter?: Date;
  dpu: DpuDraft;
  /** Returned to the caller along with the position. */
  result: Result;
}

/** A request that completes without a record: a rejection, or the first of two approvals. */
export interface WithoutRecord<Result> extends Accompanying<null> {
  content: null;
  result: Result;
}

/** Another transaction has locked the subject of the request. */
export const LOCKED = Symbol('locked');

/**
 * An Error rejects only this request. LOCKED moves its center out of the batch, to wait on its own. The rest of the batch
 * continues.
 */
export type Admission<Result> = Draft<Result> | WithoutRecord<Result> | Error | typeof LOCKED;

export interface BatchTime {
  /** The timestamp of everything in the batch. */
  at: Date;
  /** Whether to wait for locked rows. Otherwise their requests are LOCKED. */
  wait: boolean;
}

export interface SealKind<Request, Result = undefined> {
  name: string;
  /** The chains that most requests of this kind append to. */
  grows: readonly ChainDomain[];
  /**
   * Checks all requests of a batch, across centers, with a constant number of queries, and returns one admission per request,
   * in order. It may lock rows (in a stable order) but must not touch the chains, whose heads are locked afterwards.
   */
  admit(client: PoolClient, requests: Request[], time: BatchTime): Promise<Admission<Result>[]>;
  /** Statements that update the kind's own tables for the whole batch. */
  writes?(done: SealOutcome<Result>[]): Statement | Statement[];
}

export interface SealItem<Request, Result> {
  centerId: number;
  kind: SealKind<Request, Result>;
  request: Request;
  /** The caller's `ctx.idempotency`, marked as completed in the same transaction. */
  idempotency?: IdempotencyClaim | null;
  /** The caller's trace: a batch serves many requests, each with its own. */
  trace?: string | undefined;
}

export interface SealOutcome<Result> {
  /** Null if the request completed without a record. */
  place: Place | null;
  /** The positions of the request's own journal entries. */
  journal: Place[];
  result: Result;
}
