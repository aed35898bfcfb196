import { sql } from '../../../db/sql.ts';
import { type Context, currentCenterId, ownRows } from '../../context.ts';
import { type DecisionEventView, EVENT_SOURCE, HEAD_COLUMNS, HEAD_ROW, toView } from '../row.ts';

/** How far back to look. Limits the scan of the id index for large centers. */
const LOOK_BACK = 1_000;

const DECISION_EVENT_SIMILAR = sql('decision_event_similar', HEAD_ROW)`
  SELECT ${HEAD_COLUMNS} FROM ${EVENT_SOURCE} WHERE e.center_id = $centerId AND e.id = (
  SELECT id FROM (
    SELECT id, actor_id, action_type, status FROM decision_event
    WHERE center_id = $centerId AND id < $id ORDER BY id DESC LIMIT ${LOOK_BACK}
  ) AS earlier
  WHERE actor_id = $actorId AND action_type = $actionType AND status = 'sealed'
  ORDER BY id DESC LIMIT 1)`;

/**
 * The last sealed decision of the same actor with the same type of action, to compare the arguments with. Only for ADMINs:
 * other approvers may see a decision that waits for them, but not earlier ones.
 */
export async function lastSimilar(ctx: Context, event: DecisionEventView): Promise<DecisionEventView | null> {
  const { principal } = ctx;
  if (principal.kind !== 'actor' || !principal.center.open || principal.center.role !== 'ADMIN') return null;
  const centerId = currentCenterId(ctx);
  const rows = await DECISION_EVENT_SIMILAR.rows(ownRows(ctx), {
    centerId,
    id: event.id,
    actorId: event.head.actor.id,
    actionType: event.head.action.type,
  });
  return rows[0] ? toView(rows[0]) : null;
}
