import { canonicalJson, type JsonValue } from '@countersign/proof-kit/canonical';
import { EVENT, OUTCOME } from '@countersign/proof-kit/decision';
import { sealOutcome } from '@countersign/proof-kit/outcome';
import { isUniqueViolation } from '../../../db/faults.ts';
import { sql, typed } from '../../../db/sql.ts';
import { sha256Hex } from '../../../lib/crypto.ts';
import { DomainError } from '../../../lib/errors.ts';
import { looksLikeId } from '../../../lib/ids.ts';
import { makePace } from '../../../lib/pace.ts';
import { announceDecisions } from '../../announcements.ts';
import { type Context, currentCenterId, ownRows } from '../../context.ts';
import { appendJournal, type JournalContent } from '../../ledger/chains/journal.ts';
import { authorOf } from '../../principal.ts';
import { transact } from '../../unit-of-work.ts';
import { drawing, reseal, type Salts, type StoredDocument, split, whole } from '../content.ts';
import type { OutcomeInput } from '../input.ts';
import { holding, largeMembersOf } from '../read/contents.ts';
import { type DecisionEventView, type EventRow, eventNotFound, toContent } from '../row.ts';
import { lockSealedEvent } from './lock-sealed-event.ts';

/** The outcome of a sealed decision. */
export interface OutcomeView {
  eventId: string;
  status: OutcomeInput['status'];
  /** Null without one; undefined if it was not read (`outputsOf`). */
  output?: Record<string, unknown> | null;
  recordedAt: Date;
  journalIndex: number;
}

/** SHA-256 of the canonical input that was approved, `{}` if there was none. */
export const argumentsDigestOf = (input: Record<string, unknown> | undefined): string =>
  sha256Hex(argumentsText(input));

const argumentsText = (input: Record<string, unknown> = {}) => canonicalJson(input as JsonValue);

/** The same for each decision. Many large inputs take several turns of the event loop. */
export async function argumentsDigestsOf(
  ctx: Context,
  events: readonly DecisionEventView[],
): Promise<Map<DecisionEventView, string>> {
  const members = await largeMembersOf(ctx, events);
  const digests = new Map<DecisionEventView, string>();
  const pace = makePace();
  for (const [event, { 'action.input': input }] of members) {
    const text = argumentsText(input);
    digests.set(event, sha256Hex(text));
    await pace(text.length);
  }
  return digests;
}

/**
 * Records the outcome of executing a decision, once per sealed event and only for the approved arguments. The event's row is
 * locked, so of concurrent reports exactly one is written.
 */
export async function reportOutcome(
  ctx: Context,
  eventId: string,
  input: OutcomeInput,
): Promise<OutcomeView> {
  const centerId = currentCenterId(ctx);
  if (!looksLikeId(eventId)) throw eventNotFound();
  if (ctx.idempotency) ctx.idempotency.subject = eventId;
  const by = authorOf(ctx.principal);
  const written = await transact(ctx, async ({ db }) => {
    const row = await lockSealedEvent(ctx, db, eventId);
    checkArguments(row, input.argumentsDigest);
    if (await db.outcome.findFirst({ where: { eventId }, select: { eventId: true } })) throw reported();
    const salts: Salts = {};
    const { disclosed } = reseal(EVENT, row);
    const { content } = sealOutcome(
      {
        eventId,
        status: input.status,
        by,
        inputDisclosure: disclosed['action.input'],
        output: input.output,
      },
      drawing(salts),
    );
    const { 'by.id': bySalt = null, ...own } = salts;
    const entry = {
      centerId,
      content: content as unknown as JournalContent,
      author: { ...by, salt: bySalt, subject: eventId },
    };
    const [place] = await appendJournal(db, [entry], ctx.now);
    const { content: document, large } = split(OUTCOME, {
      kind: 'outcome',
      eventId,
      status: input.status,
      ...(content.arguments !== undefined && { arguments: content.arguments }),
      ...(input.output && { output: input.output }),
    });
    await db.outcome.create({
      data: {
        eventId,
        centerId,
        content: document as object,
        ...(large && { large: large as object }),
        salts: own,
        journalIndex: place!.index,
        recordedAt: ctx.now,
      },
    });
    return place!;
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? reported() : error;
  });
  announceDecisions(ctx.app.bus, centerId, [eventId]);
  const { status, output = null } = input;
  return { eventId, status, output, recordedAt: ctx.now, journalIndex: written.index };
}

function checkArguments(row: EventRow, given: string): void {
  if (row.erased?.['action.input']) {
    throw new DomainError(
      'CONFLICT',
      'The arguments of the decision were erased, so its outcome cannot be reported.',
    );
  }
  if (given !== `sha256:${argumentsDigestOf(toContent(row).action.input)}`) {
    throw new DomainError(
      'CONFLICT',
      'argumentsDigest: these are not the arguments that were approved; request a decision for them.',
    );
  }
}

const reported = () => new DomainError('CONFLICT', 'The outcome of this decision was already reported.');

/** The outcomes of events, by event id. Events without one are omitted. */
export async function outcomesOf(
  ctx: Context,
  eventIds: readonly string[],
): Promise<Map<string, OutcomeView>> {
  const rows = await ctx.db.outcome.findMany({
    where: { eventId: { in: [...eventIds] } },
    select: { eventId: true, content: true, recordedAt: true, journalIndex: true },
  });
  return new Map(
    rows.map(({ content, ...row }) => {
      const { status } = content as unknown as Pick<OutcomeView, 'status'>;
      return [row.eventId, { ...row, status }];
    }),
  );
}

const OUTPUT_BYTES = sql('outcome_output_bytes', { bytes: 'float8' })`
  SELECT coalesce(sum(octet_length(large::text)), 0)::float8 AS bytes FROM outcome
  WHERE event_id = ANY ($ids) AND center_id = $centerId`;
const OUTPUTS = sql('outcome_outputs', { id: 'text', large: typed<StoredDocument['large']>('json') })`
  SELECT event_id AS id, large FROM outcome WHERE event_id = ANY ($ids) AND center_id = $centerId`;

/** The reported outputs, by event id. Erased ones are missing. */
export async function outputsOf(
  ctx: Context,
  eventIds: readonly string[],
): Promise<Map<string, OutcomeView['output']>> {
  const params = { ids: eventIds, centerId: currentCenterId(ctx) };
  const [total] = await OUTPUT_BYTES.rows(ownRows(ctx), params);
  return holding(ctx, total!.bytes, async () => {
    const rows = await OUTPUTS.rows(ownRows(ctx), params);
    const outputs = rows.map(({ id, large }) => [id, whole(OUTCOME, { content: {}, large }).output] as const);
    return [new Map(outputs), total!.bytes];
  });
}
