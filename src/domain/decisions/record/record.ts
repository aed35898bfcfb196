import { canonicalJson } from '@countersign/proof-kit/canonical';
import { EVENT } from '@countersign/proof-kit/decision';
import type { DecisionSource } from '../../../db/generated/prisma/enums.ts';
import { sql } from '../../../db/sql.ts';
import { sha256Hex } from '../../../lib/crypto.ts';
import { DomainError } from '../../../lib/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { type Context, currentCenterId, ownRows } from '../../context.ts';
import { alreadyDone } from '../../idempotency/claim.ts';
import { newAuthor } from '../../ledger/chains/journal.ts';
import { sizeOf } from '../../limits/storage.ts';
import { authorOf } from '../../principal.ts';
import { digestOf, type EventContent, sealNew } from '../content.ts';
import type { ProofContext } from '../decision-context.ts';
import { type EventDraft, KEY_OWNER, keyOwner } from '../draft.ts';
import type { RecordDecisionInput } from '../input.ts';
import { getDecisionEvent } from '../read/list-events.ts';
import { isHidden } from '../requester.ts';
import { type DecisionEventView, EVENT_SOURCE, HEAD_COLUMNS, HEAD_ROW, requesterOf, toView } from '../row.ts';

export interface RecordedDecision {
  event: DecisionEventView;
  /** False if the idempotency key already had this event. */
  created: boolean;
}

interface RecordOptions {
  source?: DecisionSource;
  expiresAt?: Date;
  awaitsApproval?: boolean;
  /** An idempotency key from outside the decision, and the body that a retry is compared with. */
  key?: { value: string; body: unknown };
}

/** Records a decision. Equal calls with the same idempotency key create one event, even concurrently. */
export async function recordDecision(
  ctx: ProofContext,
  input: RecordDecisionInput,
  options: RecordOptions = {},
): Promise<RecordedDecision> {
  const done = alreadyDone(ctx.idempotency);
  if (done) return { event: await getDecisionEvent(ctx, String(done.result)), created: true };
  const draft = draftDecision(ctx, input, options);
  await reserveStorage(ctx, draft);
  if (draft.claim) draft.kept = draft.claim.keep(draft.event.id);
  if (await ctx.app.recorder.record(draft)) return { event: freshView(draft), created: true };
  return { event: await existingEvent(ctx, draft), created: false };
}

/** Rejects a decision if the center's storage quota is used up. */
export function reserveStorage(ctx: Context, { centerId, event, salts }: EventDraft): Promise<void> {
  return ctx.app.storage.reserve(centerId, sizeOf(event) + sizeOf(salts));
}

/** What a caller says of a decision; the service adds its id and the time. */
type DecisionInput = Omit<EventContent, 'id' | 'decisionId' | 'occurredAt'> &
  Pick<RecordDecisionInput, 'idempotencyKey'>;

export function draftDecision(ctx: Context, input: DecisionInput, options: RecordOptions): EventDraft {
  const { idempotencyKey, ...members } = input;
  const key = options.key ?? (idempotencyKey === undefined ? null : { value: idempotencyKey, body: input });
  const now = ctx.now.getTime();
  const event: EventContent = {
    id: newId('evt', now),
    decisionId: idempotencyKey ?? newId('dec', now),
    ...members,
    tags: members.tags ?? [],
    occurredAt: ctx.now.toISOString(),
  };
  const { sealed, salts } = sealNew(EVENT, event);
  return {
    centerId: currentCenterId(ctx),
    evidenceId: newId('evd', now),
    dpuId: newId('dpu', now),
    source: options.source ?? 'EVENT',
    idempotencyKey: key?.value ?? null,
    bodyHash: key && sha256Hex(canonicalJson(key.body)),
    event,
    ...newAuthor(event.id, authorOf(ctx.principal)),
    salts,
    awaitsApproval: options.awaitsApproval ?? false,
    expiresAt: options.expiresAt?.toISOString() ?? null,
    sealJobAt: null,
    contentHash: digestOf(sealed),
    entry: null,
    claim: ctx.idempotency,
    kept: null,
  };
}

/** The view of a new event, without reading it back. */
export function freshView(draft: EventDraft): DecisionEventView {
  const { event, dpuId, evidenceId, awaitsApproval, contentHash, expiresAt, author } = draft;
  const recordedAt = new Date(event.occurredAt);
  return {
    id: event.id,
    dpuId,
    status: 'recorded',
    awaitsApproval,
    head: event,
    content: event,
    largeBytes: null,
    erased: null,
    contentHash,
    entry: draft.entry,
    requester: { kind: author.kind, ...(author.id !== undefined && { id: author.id }) },
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    evidence: { id: evidenceId, status: 'pending', chainHash: null, chainIndex: null },
    createdAt: recordedAt,
    updatedAt: recordedAt,
  };
}

const DECISION_EVENT_BY_KEY = sql('decision_event_by_key', { ...HEAD_ROW, body_hash: 'text?' })`
  SELECT ${HEAD_COLUMNS}, e.body_hash FROM ${EVENT_SOURCE}
  WHERE e.center_id = $centerId AND e.source = $source AND e.idempotency_key = $idempotencyKey
    AND ${KEY_OWNER} IS NOT DISTINCT FROM $keyOwner::text`;

export async function existingEvent(ctx: Context, draft: EventDraft): Promise<DecisionEventView> {
  const rows = await DECISION_EVENT_BY_KEY.rows(ownRows(ctx), {
    centerId: draft.centerId,
    source: draft.source,
    idempotencyKey: draft.idempotencyKey,
    keyOwner: keyOwner(draft),
  });
  const row = rows[0]!;
  const isForOther = () => new DomainError('CONFLICT', 'This idempotency key was used for another decision.');
  // First, so that a caller learns nothing else about a decision that it may not read.
  if (isHidden(ctx, requesterOf(row))) throw isForOther();
  if (row.erased) {
    throw new DomainError('CONFLICT', 'The decision with this idempotency key was erased, at least in part.');
  }
  if (row.body_hash !== draft.bodyHash) throw isForOther();
  return toView(row);
}
