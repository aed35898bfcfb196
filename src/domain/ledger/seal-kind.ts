// The words of sealing. A caller hands the sealer a request of some kind; the kind decides, for many requests at once,
// what is written; the sealer writes it on the chain.
import type { PoolClient } from '../../db/database.ts';
import type { AuditDraft } from '../audit/entry.ts';
import type { EventDraft } from '../events/types.ts';
import type { IdempotencyClaim } from '../idempotency/claim.ts';
import type { EvidenceLevel } from './levels.ts';

export type SealDomain = 'platform' | 'proof';

export interface Chain {
  centerId: number;
  domain: SealDomain;
}

/** The living side of a record, as it is born. */
export interface DpuDraft {
  id: string;
  evidenceLevel: EvidenceLevel;
  aiGenerated?: boolean;
  referenceType?: string | null;
  referenceId?: string | null;
  /** Who made or sealed it. */
  actorId: string;
  tags?: string[];
  metadata?: Record<string, unknown>;
}

/** Where a record came to stand on its chain. */
export interface Place {
  dpuId: string;
  chainId: number;
  index: number;
  hash: string;
  previousHash: string | null;
  timestamp: string;
}

/** An admitted request: a record for the chain. A record at AUDIT_READY announces itself with dpu.sealed. */
export interface Draft<Result> {
  /** The exact text that is hashed. */
  content: string;
  dpu: DpuDraft;
  /** What the caller gets beside the place. */
  result: Result;
  /** Further events of this request, and its audit entries; they may speak of the place. */
  events?: (place: Place) => EventDraft[];
  audit?: (place: Place) => AuditDraft[];
}

/** A request that was carried out without a record: a rejection, the first of two approvals. */
export interface Settled<Result> {
  content: null;
  result: Result;
  events?: () => EventDraft[];
  audit?: () => AuditDraft[];
}

/** An Error turns away this request alone; the others of its batch go on. */
export type Admission<Result> = Draft<Result> | Settled<Result> | Error;

/** An admitted request with its outcome, as `finish` gets it. */
export interface Finished<Request, Result> extends SealOutcome<Result> {
  request: Request;
}

export interface SealKind<Request, Result = undefined> {
  name: string;
  /**
   * Looks at all requests of a batch with one query and gives an admission for each, in their order. It may lock rows
   * (in a stable order) and must not touch the chain: the head is locked only after it.
   */
  admit(client: PoolClient, requests: Request[], at: Date): Promise<Admission<Result>[]>;
  /** Brings the kind's own tables up to date, with one statement for the whole batch. */
  finish?(client: PoolClient, finished: Finished<Request, Result>[], at: Date): Promise<void>;
  /**
   * The draft of a request that is nothing else: it needs no look at the database and no finish, and brings no event
   * and no audit entry. Nothing in its way can wait for a lock, so such drafts are written together, whatever their
   * chains. Undefined for every other request.
   */
  bare?(request: Request): Draft<Result> | undefined;
}

export interface SealItem<Request, Result> extends Chain {
  kind: SealKind<Request, Result>;
  request: Request;
  /** The caller's `ctx.idempotency`: marked as carried out in the same transaction. */
  idempotency?: IdempotencyClaim | null;
}

export interface SealOutcome<Result> {
  /** Null when the kind settled the request without a record. */
  place: Place | null;
  result: Result;
}
