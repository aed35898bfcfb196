import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { firstIdAt, momentOf } from '../../lib/ids.ts';

const DAY_MS = 86_400_000;
/** Most pages end within two weeks. */
const RECENT_MS = 14 * DAY_MS;
/** Up to this number of weeks, one statement reads all of them: a second statement would cost more. */
const FEW_WEEKS = 8;
const COUNT_KEPT_MS = 3_600_000;

/** A range of event ids. */
export interface EventRange {
  gte: string;
  lt: string;
}

const counts = new WeakMap<Database, { weeks: Promise<number>; until: number }>();

const COUNT_WEEKS = sql('count_event_weeks', { weeks: 'int' })`
  SELECT count(*)::int AS weeks FROM event_weeks() WHERE attached`;

/** The number of event partitions. One is added each week, so the count is cached for an hour. */
function countWeeks(db: Database): Promise<number> {
  const known = counts.get(db);
  if (known && known.until > Date.now()) return known.weeks;
  const weeks = COUNT_WEEKS.rows(db.pool, {}).then(([row]) => row!.weeks);
  counts.set(db, { weeks, until: Date.now() + COUNT_KEPT_MS });
  weeks.catch(() => counts.delete(db));
  return weeks;
}

/**
 * Reads a page of events, newest first. Events have one partition per week, and a statement without a range plans and opens
 * every one. So if there are many, the page is read from the two weeks before its start, and from all only if these do not
 * fill it.
 */
export async function recentEventsFirst<Page>(
  db: Database,
  after: string | undefined,
  load: (range: EventRange | null) => Promise<Page>,
  isFull: (page: Page) => boolean,
): Promise<Page> {
  const start = after === undefined ? new Date() : momentOf(after);
  if (!start || (await countWeeks(db)) <= FEW_WEEKS) return load(null);
  const page = await load({
    gte: firstIdAt('msg', new Date(Math.max(start.getTime() - RECENT_MS, 0))),
    // Allows for small clock differences.
    lt: firstIdAt('msg', new Date(start.getTime() + DAY_MS)),
  });
  return isFull(page) ? page : load(null);
}
