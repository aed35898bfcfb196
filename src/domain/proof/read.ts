import type { Queryable } from '../../db/database.ts';
import { DomainError } from '../../lib/errors.ts';
import { looksLikeId } from '../../lib/ids.ts';
import { type CursorWindow, type OffsetInfo, offsetInfo } from '../../lib/paging.ts';
import { type Context, currentCenterId, ownRows } from '../context.ts';
import { countKeys } from './counts.ts';
import type { EventFilter } from './input.ts';
import {
  type DecisionEventView,
  EVENT_COLUMNS,
  EVENT_SOURCE,
  type EventRow,
  type ListedRow,
  toView,
} from './row.ts';

export async function findDecisionEvent(ctx: Context, id: string): Promise<DecisionEventView | null> {
  if (!looksLikeId(id)) return null;
  const { rows } = await ownRows(ctx).query<EventRow>({
    name: 'decision_event_by_id',
    text: `SELECT ${EVENT_COLUMNS} FROM ${EVENT_SOURCE} WHERE e.id = $1 AND e.center_id = $2`,
    values: [id, currentCenterId(ctx)],
  });
  return rows[0] ? toView(rows[0]) : null;
}

/** The events that are there, in the order asked for, with one statement for all of them. */
export async function findDecisionEvents(ctx: Context, ids: readonly string[]): Promise<DecisionEventView[]> {
  const { rows } = await ownRows(ctx).query<EventRow>({
    name: 'decision_events_by_id',
    text: `SELECT ${EVENT_COLUMNS} FROM ${EVENT_SOURCE} WHERE e.id = ANY ($1) AND e.center_id = $2`,
    values: [ids.filter(looksLikeId), currentCenterId(ctx)],
  });
  const found = new Map(rows.map((row) => [row.id, toView(row)]));
  return ids.map((id) => found.get(id)).filter((event) => event !== undefined);
}

export async function getDecisionEvent(ctx: Context, id: string): Promise<DecisionEventView> {
  const event = await findDecisionEvent(ctx, id);
  if (!event) throw new DomainError('NOT_FOUND', 'There is no such decision event.');
  return event;
}

/** What a list shows of each event: the free-form parts stay where they are. */
export type EventSummary = Pick<
  DecisionEventView,
  'id' | 'decisionId' | 'type' | 'status' | 'actor' | 'tags' | 'createdAt' | 'updatedAt'
> & { action: { type: string } };

export interface EventPage {
  items: EventSummary[];
  info: OffsetInfo;
}

const PAGE_SIZES = [1, 20, 50, 100];

/** Times as numbers: reading them from text would cost more than all the rest of a row. */
const LISTED = `e.id, e.decision_id, e.type, e.status, e.actor_id, e.actor_type, e.actor_name, e.action_type, e.tags,
  (extract(epoch FROM e.created_at) * 1000)::float8 AS created_ms,
  (extract(epoch FROM e.updated_at) * 1000)::float8 AS updated_ms`;

/**
 * Newest first, with the exact total, in one round trip. What an offset passes over is read from an index alone. Many
 * people look at the same page of the same center: those who ask at the same moment share one answer.
 */
export async function listDecisionEvents(
  ctx: Context,
  filter: EventFilter,
  limit: number,
  offset: number,
): Promise<EventPage> {
  const centerId = currentCenterId(ctx);
  const rows = await ctx.app.coalesceEventPages(JSON.stringify([centerId, filter, limit, offset]), () =>
    readPage(ownRows(ctx), centerId, filter, limit, offset),
  );
  // The total comes even when the page is empty, with nothing beside it.
  const items = rows.filter(({ id }) => id !== null).map(toSummary);
  return { items, info: offsetInfo(rows[0]!.total, limit, offset, items.length) };
}

/** The limit is part of the text: were it a parameter, the server would plan the statement anew at each call. */
async function readPage(
  db: Queryable,
  centerId: number,
  filter: EventFilter,
  asked: number,
  offset: number,
): Promise<ListedRow[]> {
  // Few texts, so that no caller can fill the server's memory with prepared statements.
  const limit = PAGE_SIZES.find((size) => size >= asked) ?? asked;
  const { conditions, values, shape } = where(filter, centerId);
  const total = totalOf(filter, centerId, conditions, values);
  const page =
    offset === 0
      ? `SELECT ${LISTED} FROM decision_event e WHERE ${conditions} ORDER BY e.id DESC LIMIT ${limit}`
      : `SELECT ${LISTED} FROM decision_event e JOIN (
           SELECT e.id FROM decision_event e WHERE ${conditions}
           ORDER BY e.id DESC LIMIT ${limit} OFFSET $${values.push(offset)}) place USING (id)`;
  const { rows } = await db.query<ListedRow>({
    name: `list_decision_events_${shape}_${limit}${offset === 0 ? '' : '_on'}`,
    text: `SELECT counted.total, page.* FROM (${total}) counted LEFT JOIN (${page}) page ON true ORDER BY page.id DESC`,
    values,
  });
  return rows.slice(0, asked);
}

/** By its tallies where there are some; everything else is counted row by row. */
function totalOf(filter: EventFilter, centerId: number, conditions: string, values: unknown[]): string {
  const { tag, statuses, search, from, to } = filter;
  if ([tag, statuses, search, from, to].some((part) => part !== undefined)) {
    return `SELECT count(*)::int AS total FROM decision_event e WHERE ${conditions}`;
  }
  const keys = `$${values.push(countKeys(centerId, filter))}::text[]`;
  return `SELECT coalesce(sum(part), 0)::int AS total FROM (
            SELECT total AS part FROM tally WHERE key = ANY (${keys})
            UNION ALL SELECT delta FROM tally_delta WHERE key = ANY (${keys})) parts`;
}

function toSummary(row: ListedRow): EventSummary {
  return {
    id: row.id,
    decisionId: row.decision_id,
    type: row.type,
    status: row.status,
    actor: { id: row.actor_id, type: row.actor_type, name: row.actor_name },
    action: { type: row.action_type },
    tags: row.tags,
    createdAt: new Date(row.created_ms),
    updatedAt: new Date(row.updated_ms),
  };
}

/** Whole events, for readers that page by cursor. */
export async function sliceDecisionEvents(
  ctx: Context,
  filter: EventFilter,
  { before, after, limit, inverted }: CursorWindow,
): Promise<DecisionEventView[]> {
  const { conditions, values } = where(filter, currentCenterId(ctx));
  values.push(after ?? null, before ?? null, limit);
  const place = (fromEnd: number) => `$${values.length - fromEnd}`;
  const { rows } = await ownRows(ctx).query<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM ${EVENT_SOURCE} WHERE ${conditions}
       AND (${place(2)}::text IS NULL OR e.id < ${place(2)}) AND (${place(1)}::text IS NULL OR e.id > ${place(1)})
     ORDER BY e.id ${inverted ? 'ASC' : 'DESC'} LIMIT ${place(0)}`,
    values,
  );
  return rows.map(toView);
}

export async function countDecisionEvents(ctx: Context, filter: EventFilter): Promise<number> {
  const { info } = await listDecisionEvents(ctx, filter, 1, 0);
  return info.total;
}

/** The filter as SQL over `decision_event e`; one text for each combination, so that statements can be prepared. */
function where(filter: EventFilter, centerId: number) {
  const { type, status, tag, statuses, search, from, to } = filter;
  const values: unknown[] = [centerId];
  const parts = ['e.center_id = $1'];
  if (type !== undefined) parts.push(`e.type = $${values.push(type)}::decision_event_type`);
  if (status !== undefined) parts.push(`e.status = $${values.push(status)}::decision_event_status`);
  if (tag !== undefined) parts.push(`e.tags @> ARRAY[$${values.push(tag)}::text]`);
  if (statuses !== undefined) {
    parts.push(`e.status = ANY ($${values.push(statuses)}::decision_event_status[])`);
  }
  if (from !== undefined) parts.push(`e.created_at >= $${values.push(from)}::timestamptz`);
  if (to !== undefined) parts.push(`e.created_at < $${values.push(to)}::timestamptz`);
  if (search !== undefined) {
    const words = `$${values.push(`%${search.replace(/[\\%_]/g, '\\$&')}%`)}`;
    const columns = ['action_type', 'action_description', 'actor_name', 'actor_id', 'decision_id', 'id'];
    const found = columns.map((column) => `e.${column} ILIKE ${words}`);
    parts.push(`(${found.join(' OR ')} OR array_to_string(e.tags, ' ') ILIKE ${words})`);
  }
  const shape = Object.entries({ type, status, tag, statuses, from, to, search })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name)
    .join('_');
  return { conditions: parts.join(' AND '), values, shape };
}
