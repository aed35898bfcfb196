// Events, deliveries and attempts have one partition per week, from Monday to Monday in UTC (migration event_partitions). The
// functions called here belong to the owner of the tables: the application itself cannot create or drop a partition.
import { sql } from '../../db/sql.ts';
import { firstIdAt } from '../../lib/ids.ts';
import type { Infrastructure } from '../context.ts';

const DAY_MS = 86_400_000;
/** The number of weeks created in advance. Events of a week without a partition go to a default one, and move once it exists. */
const AHEAD = 2;

const MAKE_EVENT_WEEKS = sql('make_event_weeks', { made: 'int' })`
  SELECT make_event_weeks($now::timestamptz, ${AHEAD}) AS made`;

/** Returns how many weeks were missing. */
export async function makeEventWeeks({ db }: Infrastructure, now: Date): Promise<number> {
  const [row] = await MAKE_EVENT_WEEKS.rows(db.pool, { now });
  return row!.made;
}

const DROP_EVENT_WEEK = sql('drop_event_week', { week: 'text?' })`
  SELECT drop_event_week($before::timestamptz) AS week`;

/** Drops every week that ended before the given time and contains nothing that is needed, each in a separate transaction. */
export async function dropEventWeeks({ db }: Infrastructure, before: Date): Promise<string[]> {
  const dropped: string[] = [];
  for (;;) {
    const [row] = await DROP_EVENT_WEEK.rows(db.pool, { before });
    if (!row?.week) return dropped;
    dropped.push(row.week);
  }
}

const WEEK_EXISTS = sql('event_week_exists', { found: 'boolean' })`
  SELECT EXISTS (SELECT FROM event_weeks() w WHERE w.attached AND w.week = $week) AS found`;

/** The id range of the week that contains the given time, if it has a partition. It is dropped as a whole once it has ended. */
export async function expiringWeek(
  { db }: Infrastructure,
  before: Date,
): Promise<[from: string, to: string]> {
  const monday = new Date(before.getTime() - ((before.getUTCDay() + 6) % 7) * DAY_MS);
  monday.setUTCHours(0, 0, 0, 0);
  const week = `w${monday.toISOString().slice(0, 10).replaceAll('-', '')}`;
  const [row] = await WEEK_EXISTS.rows(db.pool, { week });
  if (!row!.found) return ['', ''];
  return [firstIdAt('msg', monday), firstIdAt('msg', new Date(monday.getTime() + 7 * DAY_MS))];
}
