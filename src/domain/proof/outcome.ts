import { canonicalJson, type JsonValue } from '@countersign/proof-kit/canonical';
import { sealOutcome } from '@countersign/proof-kit/outcome';
import { isUniqueViolation } from '../../db/faults.ts';
import type { OutcomeStatus } from '../../db/generated/prisma/enums.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';
import { looksLikeId } from '../../lib/ids.ts';
import { announceDecisions } from '../announcements.ts';
import { type Context, currentCenterId } from '../context.ts';
import { appendJournal, type JournalContent } from '../ledger/chains/journal.ts';
import { authorOf } from '../principal.ts';
import { transact } from '../unit-of-work.ts';
import { drawing, resealEvent, type Salts } from './content.ts';
import type { OutcomeInput } from './input.ts';
import { lockSealedEvent } from './lock-sealed-event.ts';
import { type EventRow, eventNotFound, toContent } from './row.ts';

/** The outcome of a sealed decision. */
export interface OutcomeView {
  eventId: string;
  status: OutcomeStatus;
  output: Record<string, unknown> | null;
  recordedAt: Date;
  journalIndex: number;
}

/** SHA-256 of the canonical input that was approved, `{}` if there was none. */
export function argumentsDigestOf(input: Record<string, unknown> | null): string {
  return sha256Hex(canonicalJson((input ?? {}) as JsonValue));
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
    const { disclosed } = resealEvent(toContent(row), row.salts, row.erased);
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
    const entry = {
      centerId,
      content: content as unknown as JournalContent,
      author: { ...by, salt: salts['by.id'] ?? null, subject: eventId },
    };
    const [place] = await appendJournal(db, [entry], ctx.now);
    await db.outcome.create({
      data: {
        eventId,
        centerId,
        status: input.status,
        ...(input.output && { output: input.output as object }),
        salt: salts['outcome.output'] ?? null,
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
    throw new DomainError('CONFLICT', 'The arguments of the decision were erased.');
  }
  if (given !== `sha256:${argumentsDigestOf(row.action_input)}`) {
    throw new DomainError('CONFLICT', 'These are not the arguments that were approved.');
  }
}

const reported = () => new DomainError('CONFLICT', 'The outcome of this decision was already reported.');

/** The outcomes of events, by event id. Events without one are omitted. */
export async function outcomesOf(
  ctx: Context,
  eventIds: readonly string[],
): Promise<Map<string, OutcomeView>> {
  const rows = await ctx.db.outcome.findMany({ where: { eventId: { in: [...eventIds] } } });
  return new Map(rows.map((row) => [row.eventId, { ...row, output: row.output as OutcomeView['output'] }]));
}
