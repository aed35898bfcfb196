import { hash } from 'node:crypto';
import { DecisionEventStatus, DecisionEventType } from '../../../db/generated/prisma/enums.ts';
import { sql } from '../../../db/sql.ts';
import { validationError } from '../../../lib/errors.ts';
import { firstIdAt } from '../../../lib/ids.ts';
import { currentZone } from '../../centers/calendar.ts';
import { dayBounds } from '../../centers/slots.ts';
import { type Context, currentCenterId } from '../../context.ts';
import type { TallyChange } from '../../tallies/tally.ts';

interface Kind {
  type?: DecisionEventType | undefined;
  status?: DecisionEventStatus | undefined;
}

/** The tally key for a center's events of one type and status. Must match the name in the recorder's statement. */
const countKey = (centerId: number, type: DecisionEventType, status: DecisionEventStatus) =>
  `events:${centerId}:${type}:${status}`;

/**
 * The tally keys that add up to a center's events of a type, a status, both, or all. Only the finest tallies are stored:
 * summing a few is cheaper for a reader than maintaining the sums is for every writer.
 */
export function countKeys(centerId: number, { type, status }: Kind): string[] {
  const types = type ? [type] : Object.values(DecisionEventType);
  const statuses = status ? [status] : Object.values(DecisionEventStatus);
  return types.flatMap((each) => statuses.map((one) => countKey(centerId, each, one)));
}

/**
 * The tally key for a center's events with a tag. Tally rows are not tenant-isolated, so the key does not contain the tag
 * itself. Must match `tag_tally`.
 */
export const tagKey = (centerId: number, tag: string) =>
  `tagged:${centerId}:${hash('sha256', `${centerId}:${tag}`)}`;

/** The tally changes when an event moves from one status to another. */
export function statusChanged(
  centerId: number,
  type: DecisionEventType,
  from: DecisionEventStatus,
  to: DecisionEventStatus,
): TallyChange[] {
  return [
    { key: countKey(centerId, type, from), delta: -1 },
    { key: countKey(centerId, type, to), delta: 1 },
  ];
}

export const MOST_DAYS = 366;

/** The decisions of one day in the center's calendar, by status. */
export type DecisionDay = { day: string } & Record<DecisionEventStatus, number>;

const DECISIONS_BY_DAY = sql('decisions_by_day', {
  day: 'text',
  status: 'decision_event_status',
  count: 'int',
})`
  SELECT d.day, s.status, n.count
  FROM unnest($days::text[], $firsts::text[], $ends::text[]) AS d(day, first_id, next_id)
  CROSS JOIN unnest($statuses::decision_event_status[]) AS s(status)
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS count FROM decision_event e
    WHERE e.center_id = $centerId AND e.status = s.status AND e.id >= d.first_id AND e.id < d.next_id
  ) n WHERE n.count > 0`;

/**
 * Counts decisions by the day they were recorded, both ends inclusive. Ids contain the time, so each count is an index-only
 * range scan.
 */
export async function countDecisionsByDay(
  ctx: Context,
  { from, to }: { from: string; to: string },
): Promise<DecisionDay[]> {
  // The service did not exist before 2000, and the times in ids reach well past 2199.
  if (from < '2000' || to > '2199') {
    throw validationError([
      { path: from < '2000' ? 'from' : 'to', message: 'must be between 2000 and 2199' },
    ]);
  }
  const days = daysBetween(from, to);
  if (days.length === 0 || days.length > MOST_DAYS) {
    throw validationError([{ path: 'to', message: `must be 0 to ${MOST_DAYS - 1} days after from` }]);
  }
  const zone = await currentZone(ctx);
  const bounds = days.map((date) => dayBounds(date, zone));
  const statuses = Object.values(DecisionEventStatus);
  const centerId = currentCenterId(ctx);
  const db = ctx.reads.declared([centerId]);
  const rows = await DECISIONS_BY_DAY.rows(db, {
    centerId,
    days,
    firsts: bounds.map((each) => firstIdAt('evt', each.from)),
    ends: bounds.map((each) => firstIdAt('evt', each.to)),
    statuses,
  });
  const none = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<
    DecisionEventStatus,
    number
  >;
  const counted = new Map(days.map((each): [string, DecisionDay] => [each, { day: each, ...none }]));
  for (const row of rows) counted.get(row.day)![row.status] = row.count;
  return [...counted.values()];
}

const DAY_MS = 86_400_000;

function daysBetween(from: string, to: string): string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const count = Math.round((last - first) / DAY_MS) + 1;
  if (count < 1 || count > MOST_DAYS) return [];
  return Array.from({ length: count }, (_, i) => new Date(first + i * DAY_MS).toISOString().slice(0, 10));
}
