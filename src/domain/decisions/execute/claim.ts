import { isUniqueViolation } from '../../../db/faults.ts';
import { sql } from '../../../db/sql.ts';
import { DomainError } from '../../../lib/errors.ts';
import { looksLikeId } from '../../../lib/ids.ts';
import { announceDecisions } from '../../announcements.ts';
import { type Context, currentCenterId, ownRows } from '../../context.ts';
import type { Place } from '../../ledger/chains/chains.ts';
import { appendJournal, authoredEntry } from '../../ledger/chains/journal.ts';
import { authorOf } from '../../principal.ts';
import { transact } from '../../unit-of-work.ts';
import { eventNotFound } from '../row.ts';
import { lockSealedEvent } from './lock-sealed-event.ts';

export interface ClaimView {
  eventId: string;
  claimedAt: Date;
  /** The position of its entry on the journal. */
  place: Place;
}

/**
 * Claims a sealed decision for execution, once per decision and only by the API key that requested it. If an agent runs twice,
 * only the first run gets the claim and acts.
 */
export async function claimDecision(ctx: Context, eventId: string): Promise<ClaimView> {
  const centerId = currentCenterId(ctx);
  if (!looksLikeId(eventId)) throw eventNotFound();
  if (ctx.idempotency) ctx.idempotency.subject = eventId;
  const author = authorOf(ctx.principal);
  const place = await transact(ctx, async ({ db }) => {
    await lockSealedEvent(ctx, db, eventId);
    if (await db.outcome.findFirst({ where: { eventId }, select: { eventId: true } })) {
      throw new DomainError('CONFLICT', 'The outcome of this decision was already reported.');
    }
    if (await db.journalBy.findFirst({ where: { subject: eventId, kind: 'claimed' } })) throw claimed();
    const entry = authoredEntry(centerId, eventId, { author, content: { kind: 'claimed', eventId } });
    const [written] = await appendJournal(db, [entry], ctx.now);
    return written!;
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? claimed() : error;
  });
  announceDecisions(ctx.app.bus, centerId, [eventId]);
  return { eventId, claimedAt: new Date(place.timestamp), place };
}

const claimed = () => new DomainError('CONFLICT', 'This decision was already claimed.');

const CLAIMS_OF_EVENTS = sql('claims_of_events', { id: 'text', timestamp: 'text' })`
  SELECT b.subject AS id, r.timestamp FROM journal_by b
  JOIN ledger_record r ON r.chain_id = b.chain_id AND r.index = b.index
  WHERE b.subject = ANY ($eventIds::text[]) AND b.kind = 'claimed' AND b.center_id = $centerId`;

/** When decisions were claimed, by event id. Unclaimed decisions are omitted. */
export async function claimsOf(ctx: Context, eventIds: readonly string[]): Promise<Map<string, Date>> {
  const rows = await CLAIMS_OF_EVENTS.rows(ownRows(ctx), { eventIds, centerId: currentCenterId(ctx) });
  return new Map(rows.map(({ id, timestamp }) => [id, new Date(timestamp)]));
}
