import type { Tx } from '../../../db/database.ts';
import { DomainError } from '../../../lib/errors.ts';
import { type Context, currentCenterId } from '../../context.ts';
import { checkRequester, isHidden } from '../requester.ts';
import { EVENT_COLUMNS, EVENT_SOURCE, type EventRow, eventNotFound, requesterOf } from '../row.ts';

/** Reads and locks a sealed decision for the API key that requested it. */
export async function lockSealedEvent(ctx: Context, db: Tx, eventId: string): Promise<EventRow> {
  const [row] = await db.$queryRawUnsafe<EventRow[]>(
    `SELECT ${EVENT_COLUMNS} FROM ${EVENT_SOURCE} WHERE e.id = $1 AND e.center_id = $2 FOR UPDATE OF e`,
    eventId,
    currentCenterId(ctx),
  );
  if (!row || isHidden(ctx, requesterOf(row))) throw eventNotFound();
  checkRequester(ctx, requesterOf(row));
  if (row.status !== 'sealed') throw new DomainError('CONFLICT', 'The decision is not sealed.');
  return row;
}
