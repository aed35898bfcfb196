import { APPROVAL, ERASABLE_PATHS, EVENT, OUTCOME } from '@countersign/proof-kit/decision';
import type { Disclosures } from '@countersign/proof-kit/sealed-object';
import { z } from 'zod';
import { type RowOf, sql, type Transaction } from '../../../db/sql.ts';
import { DomainError } from '../../../lib/errors.ts';
import { announceDecisions } from '../../announcements.ts';
import { type Context, currentCenterId } from '../../context.ts';
import { eraseContentIn } from '../../dpus/erase-content.ts';
import { eraseCopies } from '../../dpus/erase-copies.ts';
import {
  consumeErasureRequest,
  type ErasureAuthors,
  requestIfTwoNeeded,
  requireErasureRequest,
} from '../../dpus/pending-erasure.ts';
import { authoredEntry, journalText, storeAuthorOfLatest } from '../../ledger/chains/journal.ts';
import { authorOf } from '../../principal.ts';
import { transact, type Work } from '../../unit-of-work.ts';
import { isFinal, rejectBySystem } from '../approve/system-rejection.ts';
import { DOCUMENT_ROW, digestOf, digestOfDisclosure, reseal, type StoredDocument } from '../content.ts';
import type { ProofContext } from '../decision-context.ts';
import { isOwnRejection } from '../erased.ts';
import { getDecisionEvent } from '../read/list-events.ts';
import {
  APPROVAL_COLUMNS,
  APPROVAL_ROW,
  type ApprovalRow,
  type DecisionEventView,
  EVENT_COLUMNS,
  EVENT_ROW,
  EVENT_SOURCE,
  eventNotFound,
} from '../row.ts';
import { text } from '../text.ts';

export const erasureReason = text(1_000, 1);

export const eraseDecisionInput = z.object({
  eventId: z.string(),
  fields: z
    .array(z.string())
    .min(1)
    .max(ERASABLE_PATHS.length)
    .check(({ value, issues }) => {
      value.forEach((path, i) => {
        if (ERASABLE_PATHS.includes(path)) return;
        const message = `"${path}" is not a member that can be erased`;
        issues.push({ code: 'custom', message, path: [i], input: path });
      });
    })
    .nullish(),
  reason: erasureReason,
});

export type EraseDecisionInput = z.output<typeof eraseDecisionInput>;

/**
 * Erases members of a decision and every copy of them; the sealed record keeps their digests. A pending decision is rejected
 * first, so that erased content cannot be approved. Erasing a member again has no effect.
 */
export async function eraseDecision(
  ctx: ProofContext,
  input: EraseDecisionInput,
): Promise<DecisionEventView> {
  const { eventId, fields = null, reason } = input;
  const event = await getDecisionEvent(ctx, eventId);
  const isRequested = await transact(ctx, (work) =>
    requestIfTwoNeeded(ctx, work, { subject: eventId, fields, reason }),
  );
  if (isRequested) return getDecisionEvent(ctx, eventId);
  if (!isFinal(event)) await rejectBySystem(ctx, eventId, 'erased');
  await transact(ctx, (work) => eraseIn(ctx, work, input, { by: authorOf(ctx.principal) }));
  announceDecisions(ctx.app.bus, currentCenterId(ctx), [eventId]);
  return getDecisionEvent(ctx, eventId);
}

/** Performs an erasure that another ADMIN requested. */
export async function confirmErasure(ctx: ProofContext, eventId: string): Promise<DecisionEventView> {
  const event = await getDecisionEvent(ctx, eventId);
  if (!isFinal(event)) {
    // Checked before the decision is rejected. The request itself is consumed together with the erasure.
    await transact(ctx, (work) => requireErasureRequest(ctx, work, eventId));
    await rejectBySystem(ctx, eventId, 'erased');
  }
  await transact(ctx, async (work) => {
    const { fields, reason, authors } = await consumeErasureRequest(ctx, work, eventId);
    await eraseIn(ctx, work, { eventId, fields, reason }, authors);
  });
  announceDecisions(ctx.app.bus, currentCenterId(ctx), [eventId]);
  return getDecisionEvent(ctx, eventId);
}

const ERASE_DECISION_MEMBERS = sql('erase_decision_members')`
  SELECT erase_decision_members($centerId::int, $content, $now, $digests::jsonb)`;

async function eraseIn(
  ctx: Context,
  work: Work,
  { eventId, fields, reason }: EraseDecisionInput,
  authors: ErasureAuthors,
) {
  const centerId = currentCenterId(ctx);
  const chosen = new Set(fields ?? ERASABLE_PATHS);
  const decision = await lockDecision(work.db, centerId, eventId);
  const digests = digestsOf(decision, chosen);
  const paths = [digests.event, ...Object.values(digests.approvals), digests.outcome].flatMap(Object.keys);
  if (paths.length === 0) return;
  const erased = [...new Set(paths)].sort();
  // The workflow's execution has its own record, which repeats what its steps recorded.
  const { source, runRecord } = decision.row;
  if (source === 'WORKFLOW' && runRecord && erased.some((path) => path.startsWith('action.'))) {
    await eraseContentIn(ctx, work, runRecord, reason, authors);
  }
  const { content, author } = authoredEntry(centerId, eventId, {
    author: authors.by,
    ...(authors.confirmedBy && { confirmedBy: authors.confirmedBy }),
    content: { kind: 'erased', eventId, fields: erased, reason },
  });
  await eraseCopiesOfDecision(work.db, decision, digests);
  await ERASE_DECISION_MEMBERS.run(work.db, {
    centerId,
    content: journalText(content),
    now: ctx.now.toISOString(),
    digests: JSON.stringify(digests),
  });
  await storeAuthorOfLatest(work.db, centerId, author!, { entry: 'erased' });
  const detail = { change: 'decision erased', fields: erased, reason };
  work.audit({ type: 'center.updated', target: eventId, detail });
}

interface LockedDecision {
  row: RowOf<typeof LOCK_DECISION_TO_ERASE>;
  approvals: ApprovalRow[];
  outcome: StoredDocument | undefined;
}

const LOCK_DECISION_TO_ERASE = sql('lock_decision_to_erase', {
  ...EVENT_ROW,
  sealed_content: 'text?',
  idempotency_key: 'text?',
  runRecord: 'text?',
})`
  SELECT ${EVENT_COLUMNS}, r.content AS sealed_content, e.idempotency_key, (
    SELECT x.dpu_id FROM workflow_execution x
    WHERE x.id = split_part(e.idempotency_key, ':', 1)) AS "runRecord"
  FROM ${EVENT_SOURCE} WHERE e.id = $eventId AND e.center_id = $centerId::int FOR UPDATE OF e`;

const APPROVALS_TO_ERASE = sql('approvals_to_erase', APPROVAL_ROW)`
  SELECT ${APPROVAL_COLUMNS} FROM approval a WHERE event_id = $eventId ORDER BY id`;

const OUTCOME_TO_ERASE = sql('outcome_to_erase', DOCUMENT_ROW)`
  SELECT content, large, salts, erased FROM outcome WHERE event_id = $eventId`;

/** While the event is locked, no approval or outcome can be added. */
async function lockDecision(tx: Transaction, centerId: number, eventId: string): Promise<LockedDecision> {
  const [row] = await LOCK_DECISION_TO_ERASE.rows(tx, { eventId, centerId });
  if (!row) throw eventNotFound();
  const approvals = await APPROVALS_TO_ERASE.rows(tx, { eventId });
  const [outcome] = await OUTCOME_TO_ERASE.rows(tx, { eventId });
  return { row, approvals, outcome };
}

type Digests = Record<string, string>;

interface ErasedDigests {
  event: Digests;
  /** By approval id. */
  approvals: Record<string, Digests>;
  outcome: Digests;
}

/** The digests of the members to erase, by path. They replace the values. */
function digestsOf({ row, approvals, outcome }: LockedDecision, chosen: ReadonlySet<string>): ErasedDigests {
  const pick = (disclosed: Disclosures): Digests =>
    Object.fromEntries(
      Object.entries(disclosed).flatMap(([path, text]) =>
        chosen.has(path) ? [[path, digestOfDisclosure(text)]] : [],
      ),
    );
  const { sealed, disclosed } = reseal(EVENT, row);
  if (digestOf(sealed) !== row.content_hash) throw changed();
  const ofApprovals = approvals
    .filter((approval) => !isOwnRejection(approval))
    .map((each) => [each.id, pick(reseal(APPROVAL, each).disclosed)]);
  const digests = {
    event: pick(disclosed),
    approvals: Object.fromEntries(ofApprovals) as Record<string, Digests>,
    outcome: outcome ? pick(reseal(OUTCOME, outcome).disclosed) : {},
  };
  // If the stored digest differed from the sealed one, erasing the value would make the seal unverifiable for good.
  const { sealed_content: content } = row;
  const own = [digests.event, ...Object.values(digests.approvals)].flatMap(Object.values);
  if (content !== null && own.some((digest) => !content.includes(`"${digest}"`))) throw changed();
  return digests;
}

/** Members of platform events that do not repeat a member of a decision. */
const KEPT_IN_EVENTS = [
  'eventId',
  'actionType',
  'autonomous',
  'reason',
  'dpuId',
  'chainHash',
  'domain',
  'valid',
  'chainLength',
  'brokenAt',
  'workflowId',
  'executionId',
];

/** Members of platform events that repeat a member of the decision. */
const REPEATED_IN_EVENTS = {
  decisionId: 'decisionId',
  agentId: 'actor.id',
  riskScore: 'riskScore',
  actorId: 'approvals.approver.id',
};

const DELETE_PREPARED_APPROVALS = sql('delete_prepared_approvals')`
  DELETE FROM prepared_approval WHERE event_id = $eventId AND center_id = $centerId::int`;

const ERASE_RECORDING_STEP = sql('erase_recording_step')`
  UPDATE workflow_step_run SET input = NULL, output = json_build_object('eventId', $eventId::text)
  WHERE kind = 'record_decision' AND execution_id = $executionId AND position = $position::int`;

/**
 * Erases copies of the decision's members: prepared approvals, the workflow step that recorded it, events and stored
 * responses.
 */
async function eraseCopiesOfDecision(
  tx: Transaction,
  { row, approvals }: LockedDecision,
  digests: ErasedDigests,
): Promise<void> {
  const { id: eventId, center_id: centerId, dpu_id: dpuId, created_at: createdAt } = row;
  await DELETE_PREPARED_APPROVALS.run(tx, { eventId, centerId });
  if (row.source === 'WORKFLOW' && row.idempotency_key !== null) {
    const [executionId, position] = row.idempotency_key.split(':');
    await ERASE_RECORDING_STEP.run(tx, { eventId, executionId, position });
  }
  const sealing = approvals.findLast(({ journal_index }) => journal_index === null);
  const gone = {
    ...row.erased,
    ...digests.event,
    ...sealing?.erased,
    ...digests.approvals[sealing?.id ?? ''],
  };
  const kept = Object.entries(REPEATED_IN_EVENTS).flatMap(([member, path]) => (path in gone ? [] : [member]));
  await eraseCopies(tx, {
    centerId,
    ids: [eventId, dpuId],
    createdAt,
    kept: [...KEPT_IN_EVENTS, ...kept],
  });
}

const changed = () => new DomainError('CHAIN_BROKEN', 'The decision differs from what was recorded.');
