import { DomainError } from '../../lib/errors.ts';
import { looksLikeId } from '../../lib/ids.ts';
import { type OffsetInfo, offsetInfo } from '../../lib/paging.ts';
import { type Context, currentCenterId } from '../context.ts';
import { countKey } from './counts.ts';
import type { DecisionFilter } from './input.ts';
import { type DecisionEventView, EVENT_COLUMNS, EVENT_SOURCE, type EventRow, toView } from './row.ts';

export async function findDecisionEvent(ctx: Context, id: string): Promise<DecisionEventView | null> {
  if (!looksLikeId(id)) return null;
  const { rows } = await ctx.app.db.pool.query<EventRow>({
    name: 'decision_event_by_id',
    text: `SELECT ${EVENT_COLUMNS} FROM ${EVENT_SOURCE} WHERE e.id = $1 AND e.center_id = $2`,
    values: [id, currentCenterId(ctx)],
  });
  return rows[0] ? toView(rows[0]) : null;
}

export async function getDecisionEvent(ctx: Context, id: string): Promise<DecisionEventView> {
  const event = await findDecisionEvent(ctx, id);
  if (!event) throw new DomainError('NOT_FOUND', 'There is no such decision event.');
  return event;
}

export interface EventPage {
  items: DecisionEventView[];
  info: OffsetInfo;
}

/** What a list shows of each event is small: the free-form parts stay where they are. */
const LISTED = `e.id, e.center_id, e.decision_id, e.evidence_id, e.dpu_id, e.source, e.type, e.status, e.actor_id,
  e.actor_type, e.actor_name, e.action_type, NULL AS action_description, NULL AS action_input, NULL AS action_output,
  NULL AS ai_context, e.risk_score, e.awaits_approval, e.tags, e.content_hash, e.occurred_at, e.created_at, e.updated_at,
  NULL AS chain_hash, NULL AS chain_index`;

/** Newest first, with the exact total, in one round trip. */
export async function listDecisionEvents(
  ctx: Context,
  filter: DecisionFilter,
  limit: number,
  offset: number,
): Promise<EventPage> {
  const { conditions, values } = where(filter, currentCenterId(ctx));
  const shape = Object.keys(filter)
    .filter((name) => filter[name as keyof DecisionFilter] !== undefined)
    .join('_');
  const counted = [...values, limit, offset];
  let total: string;
  if (filter.tag === undefined) {
    counted.push(countKey(currentCenterId(ctx), filter));
    const key = `$${counted.length}`;
    total = `SELECT coalesce(sum(part), 0)::int AS total FROM (
               SELECT total AS part FROM tally WHERE key = ${key}
               UNION ALL SELECT delta FROM tally_delta WHERE key = ${key}) parts`;
  } else total = `SELECT count(*)::int AS total FROM decision_event e WHERE ${conditions}`;
  const { rows } = await ctx.app.db.pool.query<EventRow & { total: number }>({
    name: `list_decision_events_${shape}`,
    text: `SELECT counted.total, page.* FROM (${total}) counted LEFT JOIN (
             SELECT ${LISTED} FROM decision_event e WHERE ${conditions}
             ORDER BY e.id DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}
           ) page ON true ORDER BY page.id DESC`,
    values: counted,
  });
  // The total comes even when the page is empty, with nothing beside it.
  const items = rows.filter(({ id }) => id !== null).map(toView);
  return { items, info: offsetInfo(rows[0]!.total, limit, offset, items.length) };
}

/** A stretch of the list between two ids, newest first unless inverted. */
export interface Slice {
  before?: string | undefined;
  after?: string | undefined;
  limit: number;
  inverted: boolean;
}

/** Whole events, for readers that page by cursor. */
export async function sliceDecisionEvents(
  ctx: Context,
  filter: DecisionFilter,
  { before, after, limit, inverted }: Slice,
): Promise<DecisionEventView[]> {
  const { conditions, values } = where(filter, currentCenterId(ctx));
  values.push(after ?? null, before ?? null, limit);
  const place = (fromEnd: number) => `$${values.length - fromEnd}`;
  const { rows } = await ctx.app.db.pool.query<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM ${EVENT_SOURCE} WHERE ${conditions}
       AND (${place(2)}::text IS NULL OR e.id < ${place(2)}) AND (${place(1)}::text IS NULL OR e.id > ${place(1)})
     ORDER BY e.id ${inverted ? 'ASC' : 'DESC'} LIMIT ${place(0)}`,
    values,
  );
  return rows.map(toView);
}

export async function countDecisionEvents(ctx: Context, filter: DecisionFilter): Promise<number> {
  const { info } = await listDecisionEvents(ctx, filter, 1, 0);
  return info.total;
}

/** The filter as SQL over `decision_event e`; one text for each combination, so that statements can be prepared. */
function where(filter: DecisionFilter, centerId: number) {
  const values: unknown[] = [centerId];
  const parts = ['e.center_id = $1'];
  const add = (value: unknown, condition: (place: string) => string) => {
    if (value === undefined) return;
    values.push(value);
    parts.push(condition(`$${values.length}`));
  };
  add(filter.type, (place) => `e.type = ${place}::decision_event_type`);
  add(filter.status, (place) => `e.status = ${place}::decision_event_status`);
  add(filter.tag, (place) => `e.tags @> ARRAY[${place}::text]`);
  return { conditions: parts.join(' AND '), values };
}
