import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { DomainError } from '../../../lib/errors.ts';
import { type Context, currentCenterId } from '../../context.ts';
import { isPractice } from '../practice-type.ts';
import { checkRequester, isHidden } from '../requester.ts';
import { EVENT_COLUMNS, EVENT_ROW, EVENT_SOURCE, type EventRow, eventNotFound, requesterOf } from '../row.ts';

const LOCK_EVENT = sql('lock_event', EVENT_ROW)`
  SELECT ${EVENT_COLUMNS} FROM ${EVENT_SOURCE} WHERE e.id = $eventId AND e.center_id = $centerId FOR UPDATE OF e`;

/** Reads and locks a sealed decision for the API key that requested it. */
export async function lockSealedEvent(ctx: Context, db: Tx, eventId: string): Promise<EventRow> {
  const [row] = await LOCK_EVENT.rows(db, { eventId, centerId: currentCenterId(ctx) });
  if (!row || isHidden(ctx, requesterOf(row))) throw eventNotFound();
  checkRequester(ctx, requesterOf(row));
  if (isPractice(row.content.action.type)) {
    throw new DomainError('CONFLICT', 'A practice request approves no action, so it has no outcome.');
  }
  if (row.status !== 'sealed')
    throw new DomainError(
      'CONFLICT',
      `Only sealed decisions can be claimed or reported; this one is ${row.status}.`,
    );
  return row;
}
