import type { Queryable } from '../../../db/database.ts';
import { composed, sql } from '../../../db/sql.ts';
import { looksLikeId } from '../../../lib/ids.ts';
import { type CursorWindow, type OffsetInfo, offsetInfo } from '../../../lib/paging.ts';
import { type Context, currentCenterId, ownRows } from '../../context.ts';
import type { EventContent } from '../content.ts';
import type { ProofContext } from '../decision-context.ts';
import type { EventFilter } from '../input.ts';
import { isHidden, onlyRequestsOf } from '../requester.ts';
import {
  type DecisionEventView,
  EVENT_SOURCE,
  eventNotFound,
  HEAD_COLUMNS,
  HEAD_ROW,
  LISTED_ROW,
  type ListedRow,
  toView,
} from '../row.ts';
import { type Chosen, type ChosenFilter, choose } from './filter.ts';

const HEAD_BY_ID = sql('decision_head_by_id', HEAD_ROW)`
  SELECT ${HEAD_COLUMNS} FROM ${EVENT_SOURCE} WHERE e.id = $id AND e.center_id = $centerId`;

export async function findDecisionEvent(ctx: Context, id: string): Promise<DecisionEventView | null> {
  if (!looksLikeId(id)) return null;
  const rows = await HEAD_BY_ID.rows(ownRows(ctx), { id, centerId: currentCenterId(ctx) });
  const event = rows[0] && toView(rows[0]);
  return event && !isHidden(ctx, event.requester) ? event : null;
}

const HEADS_BY_ID = sql('decision_heads_by_id', HEAD_ROW)`
  SELECT ${HEAD_COLUMNS} FROM ${EVENT_SOURCE} WHERE e.id = ANY ($ids) AND e.center_id = $centerId`;

/** The existing events among the given ids, in the given order, in one statement. */
export async function findDecisionEvents(ctx: Context, ids: readonly string[]): Promise<DecisionEventView[]> {
  const rows = await HEADS_BY_ID.rows(ownRows(ctx), {
    ids: ids.filter(looksLikeId),
    centerId: currentCenterId(ctx),
  });
  const shown = rows.map(toView).filter((event) => !isHidden(ctx, event.requester));
  const found = new Map(shown.map((event) => [event.id, event]));
  return ids.map((id) => found.get(id)).filter((event) => event !== undefined);
}

export async function getDecisionEvent(ctx: Context, id: string): Promise<DecisionEventView> {
  const event = await findDecisionEvent(ctx, id);
  if (!event) throw eventNotFound();
  return event;
}

/** The columns of an event in a list, without the free-form parts. */
export interface EventSummary extends Pick<DecisionEventView, 'id' | 'status' | 'createdAt' | 'updatedAt'> {
  decisionId: string;
  type: EventContent['type'];
  actor: EventContent['actor'];
  action: { type: string };
  tags: string[];
}

export interface EventPage {
  items: EventSummary[];
  info: OffsetInfo;
}

const PAGE_SIZES = [1, 20, 50, 100];

/** Times as numbers, because parsing timestamps costs more than the rest of the row. */
const LISTED = `e.id, e.decision_id, e.type, e.status, e.actor_id, e.actor_type, e.actor_name, e.action_type, e.tags,
  (extract(epoch FROM e.created_at) * 1000)::float8 AS created_ms,
  (extract(epoch FROM e.updated_at) * 1000)::float8 AS updated_ms`;

/**
 * Events, newest first, with the exact total, in one round trip. Skipped rows are read from the index alone, from the nearer
 * end of the list. Concurrent requests for the same page of a center are coalesced.
 */
export async function listDecisionEvents(
  ctx: ProofContext,
  asked: EventFilter,
  limit: number,
  offset: number,
): Promise<EventPage> {
  const centerId = currentCenterId(ctx);
  const filter = { ...asked, requestedBy: onlyRequestsOf(ctx) ?? undefined };
  // Callers that read from the primary must not get a replica's result.
  const key = JSON.stringify([ctx.reads.isReplica, centerId, filter, limit, offset]);
  const rows = await ctx.app.coalesceEventPages(key, () =>
    readPage(ownRows(ctx), centerId, filter, limit, offset),
  );
  // An empty page still has one row, with only the total.
  const items = rows.filter(({ id }) => id !== null).map(toSummary);
  return { items, info: offsetInfo(rows[0]!.total, limit, offset, items.length) };
}

/**
 * The most frequent filters. Other combinations are not prepared, so that no caller can fill the server's memory with prepared
 * statements.
 */
const PREPARED_SHAPES = new Set(['', 'type', 'status', 'type_status', 'statuses', 'own', '_tag']);
const PAGES = composed('list_decision_events', LISTED_ROW);

/** The limit is part of the text. As a parameter, it would make the server plan the statement on every call. */
async function readPage(
  db: Queryable,
  centerId: number,
  filter: ChosenFilter,
  asked: number,
  offset: number,
): Promise<ListedRow[]> {
  const limit = PAGE_SIZES.find((size) => size >= asked) ?? asked;
  const chosen = choose(filter, centerId);
  const isFirst = offset === 0;
  const isPrepared = PREPARED_SHAPES.has(chosen.shape) && PAGE_SIZES.includes(limit);
  const variant = isPrepared ? `${chosen.shape}_${limit}${isFirst ? '' : '_on'}` : null;
  const statement = PAGES(variant, () => pageSql(chosen, limit, isFirst));
  const rows = await statement.rows(db, { ...chosen.params, tallies: chosen.tallies, offset });
  return rows.slice(0, asked);
}

function pageSql(chosen: Chosen, limit: number, isFirst: boolean): string {
  const page =
    isFirst && chosen.id === 'e.id'
      ? `${chosen.conditions} ORDER BY e.id DESC LIMIT ${limit}`
      : `e.center_id = $centerId AND e.id = ANY (ARRAY (${placesSql(chosen, limit, isFirst)}))`;
  return `WITH counted AS MATERIALIZED (${totalSql(chosen)})
    SELECT counted.total, page.* FROM counted
    LEFT JOIN (SELECT ${LISTED} FROM decision_event e WHERE ${page}) page ON true ORDER BY page.id DESC`;
}

/**
 * The ids of a page. Pages past the middle are counted from the end, using the same snapshot's total, so the last page costs
 * as much as the first. The unused branch reads nothing.
 */
function placesSql({ from, id, conditions }: Chosen, limit: number, isFirst: boolean): string {
  const ids = `SELECT ${id} FROM ${from} WHERE ${conditions} ORDER BY ${id}`;
  if (isFirst) return `${ids} DESC LIMIT ${limit}`;
  const skip = '$offset::bigint';
  const counted = (expression: string) => `(SELECT ${expression} FROM counted)`;
  const isNear = `${skip} <= total / 2`;
  return `(${ids} DESC OFFSET ${skip} LIMIT ${counted(`CASE WHEN ${isNear} THEN ${limit} ELSE 0 END`)})
    UNION ALL
    (${ids} ASC OFFSET ${counted(`greatest(total - ${skip} - ${limit}, 0)`)}
     LIMIT ${counted(`CASE WHEN ${isNear} THEN 0 ELSE greatest(least(total - ${skip}, ${limit}), 0) END`)})`;
}

/** Sums the tallies if there are any, and otherwise counts rows. */
function totalSql({ from, conditions, tallies }: Chosen): string {
  if (tallies === null) return `SELECT count(*)::int AS total FROM ${from} WHERE ${conditions}`;
  return `SELECT coalesce(sum(part), 0)::int AS total FROM (
            SELECT total AS part FROM tally WHERE key = ANY ($tallies::text[])
            UNION ALL SELECT delta FROM tally_delta WHERE key = ANY ($tallies::text[])) parts`;
}

function toSummary(row: ListedRow): EventSummary {
  return {
    id: row.id,
    decisionId: row.decision_id ?? '',
    type: row.type,
    status: row.status,
    actor: {
      id: row.actor_id ?? '',
      type: row.actor_type,
      ...(row.actor_name !== null && { name: row.actor_name }),
    },
    action: { type: row.action_type },
    tags: row.tags,
    createdAt: new Date(row.created_ms),
    updatedAt: new Date(row.updated_ms),
  };
}

const SLICES = composed('slice_decision_events', HEAD_ROW);

/** Events for cursor pagination. */
export async function sliceDecisionEvents(
  ctx: Context,
  filter: EventFilter,
  { before, after, limit, inverted }: CursorWindow,
): Promise<DecisionEventView[]> {
  const own = { ...filter, requestedBy: onlyRequestsOf(ctx) ?? undefined };
  const { from, id, conditions, params } = choose(own, currentCenterId(ctx));
  const bounds = `${after === undefined ? '' : ` AND ${id} < $after`}${before === undefined ? '' : ` AND ${id} > $before`}`;
  const order = inverted ? 'ASC' : 'DESC';
  const slice = SLICES(
    null,
    () => `
      SELECT ${HEAD_COLUMNS} FROM ${EVENT_SOURCE} WHERE e.center_id = $centerId AND e.id = ANY (ARRAY (
        SELECT ${id} FROM ${from} WHERE ${conditions}${bounds} ORDER BY ${id} ${order} LIMIT $limit))
      ORDER BY e.id ${order}`,
  );
  const rows = await slice.rows(ownRows(ctx), { ...params, after, before, limit });
  return rows.map(toView);
}

export async function countDecisionEvents(ctx: ProofContext, filter: EventFilter): Promise<number> {
  const { info } = await listDecisionEvents(ctx, filter, 1, 0);
  return info.total;
}
