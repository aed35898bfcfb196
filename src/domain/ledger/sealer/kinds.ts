// The words of sealing. A caller hands the sealer a request of some kind; the kind decides, for many requests at once,
// what is written; the sealer writes it on the chains.
import type { PoolClient } from '../../../db/database.ts';
import type { ChainDomain } from '../../../db/generated/prisma/enums.ts';
import type { Statement } from '../../../db/sql.ts';
import type { AuditDraft } from '../../audit/entry.ts';
import type { EventDraft } from '../../events/catalogue.ts';
import type { IdempotencyClaim } from '../../idempotency/claim.ts';
import type { Place } from '../chains.ts';
import type { JournalContent } from '../journal.ts';
import type { DpuDraft } from '../new-dpu.ts';

/** What goes with a request, whatever becomes of it; what speaks of the record's place is made when that is known. */
interface Beside<At> {
  events?: (place: At) => EventDraft[];
  audit?: (place: At) => AuditDraft[];
  journal?: (place: At) => JournalContent[];
  /** A moment that what is written must not come before: it may have been told by another clock than ours. */
  notBefore?: Date;
}

/** An admitted request: a record for a chain. A record at AUDIT_READY announces itself with dpu.sealed. */
export interface Draft<Result> extends Beside<Place> {
  domain: 'platform' | 'proof';
  /** The exact text that is hashed. */
  content: string;
  dpu: DpuDraft;
  /** What the caller gets beside the place. */
  result: Result;
}

/** A request that is carried out without a record: a rejection, the first of two approvals. */
export interface Settled<Result> extends Beside<null> {
  content: null;
  result: Result;
}

/** The subject of the request is locked by another transaction. */
export const HELD = Symbol('held');

/** An Error turns away this request alone; HELD sends its center off to wait alone; the others of its batch go on. */
export type Admission<Result> = Draft<Result> | Settled<Result> | Error | typeof HELD;

export interface BatchTime {
  /** The one moment at which everything in the batch happens. */
  at: Date;
  /** Whether to wait for locked rows; otherwise their requests are HELD. */
  wait: boolean;
}

export interface SealKind<Request, Result = undefined> {
  name: string;
  /** The chains that most of its requests grow. */
  grows: readonly ChainDomain[];
  /**
   * Looks at all requests of a batch, whatever their centers, with a fixed number of queries and gives an admission for
   * each, in their order. It may lock rows (in a stable order) and must not touch the chains: heads are locked behind it.
   */
  admit(client: PoolClient, requests: Request[], time: BatchTime): Promise<Admission<Result>[]>;
  /** Brings the kind's own tables up to date, for the whole batch. */
  writes?(done: SealOutcome<Result>[]): Statement | Statement[];
}

export interface SealItem<Request, Result> {
  centerId: number;
  kind: SealKind<Request, Result>;
  request: Request;
  /** The caller's `ctx.idempotency`: marked as carried out in the same transaction. */
  idempotency?: IdempotencyClaim | null;
  /** What the request is a part of: a batch serves many requests, and each has its own trace. */
  trace?: string | undefined;
}

export interface SealOutcome<Result> {
  /** Null when the kind settled the request without a record. */
  place: Place | null;
  /** Where the request's own journal entries came to stand. */
  journal: Place[];
  result: Result;
}
