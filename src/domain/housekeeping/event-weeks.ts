// Events, deliveries and attempts have one partition per week, from Monday to Monday in UTC (migration event_partitions). The
// functions called here belong to the owner of the tables: the application itself cannot create or drop a partition.
import { firstIdAt } from '../../lib/ids.ts';
import type { Infrastructure } from '../context.ts';

const DAY_MS = 86_400_000;
/** The number of weeks created in advance. Events of a week without a partition go to a default one, and move once it exists. */
const AHEAD = 2;

/** Returns how many weeks were missing. */
export async function makeEventWeeks({ db }: Infrastructure, now: Date): Promise<number> {
  const { rows } = await db.pool.query<{ made: number }>(
    'SELECT make_event_weeks($1::timestamptz, $2::int) AS made',
    [now, AHEAD],
  );
  return rows[0]!.made;
}

/** Drops every week that ended before the given time and contains nothing that is needed, each in a separate transaction. */
export async function dropEventWeeks({ db }: Infrastructure, before: Date): Promise<string[]> {
  const dropped: string[] = [];
  for (;;) {
    const { rows } = await db.pool.query<{ week: string | null }>(
      'SELECT drop_event_week($1::timestamptz) AS week',
      [before],
    );
    const week = rows[0]?.week;
    if (!week) return dropped;
    dropped.push(week);
  }
}

/** The id range of the week that contains the given time, if it has a partition. It is dropped as a whole once it has ended. */
export async function expiringWeek(
  { db }: Infrastructure,
  before: Date,
): Promise<[from: string, to: string]> {
  const monday = new Date(before.getTime() - ((before.getUTCDay() + 6) % 7) * DAY_MS);
  monday.setUTCHours(0, 0, 0, 0);
  const name = `platform_event_w${monday.toISOString().slice(0, 10).replaceAll('-', '')}`;
  const { rows } = await db.pool.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM event_weeks() w WHERE w.attached AND 'platform_event_' || w.week = $1) AS found`,
    [name],
  );
  if (!rows[0]!.found) return ['', ''];
  return [firstIdAt('msg', monday), firstIdAt('msg', new Date(monday.getTime() + 7 * DAY_MS))];
}
