import type { Queryable } from '../../db/database.ts';
import { recordset } from '../../db/recordset.ts';
import { sql, type Transaction } from '../../db/sql.ts';

/**
 * Exact counts in constant time. A change inserts a delta without blocking others; a job adds deltas to their total; a read
 * sums the total and the few remaining deltas. Keys name what is counted, such as `dpu:12:DRAFT`.
 */
export interface TallyChange {
  key: string;
  delta: number;
}

/** Merges changes by key and omits those that cancel out. */
export function sumByKey(changes: TallyChange[]): TallyChange[] {
  const sums = new Map<string, number>();
  for (const { key, delta } of changes) sums.set(key, (sums.get(key) ?? 0) + delta);
  return [...sums].flatMap(([key, delta]) => (delta === 0 ? [] : [{ key, delta }]));
}

export const tallyColumns = recordset<TallyChange>({ key: 'text', delta: 'int' });
const CHANGE = sql('change_tallies')`
  INSERT INTO tally_delta (key, delta) SELECT key, delta FROM ${tallyColumns.from('changes')} c`;

export async function changeTallies(tx: Transaction, changes: TallyChange[]): Promise<void> {
  await CHANGE.run(tx, { changes: tallyColumns.values(changes) });
}

const READ_TALLIES = sql('read_tallies', { key: 'text', total: 'float8' })`
  SELECT key, sum(total)::float8 AS total FROM (
    SELECT key, total FROM tally WHERE key = ANY ($keys)
    UNION ALL
    SELECT key, delta FROM tally_delta WHERE key = ANY ($keys)
  ) counted GROUP BY key`;

/** The count of each key; 0 for keys never counted. */
export async function readTallies(db: Queryable, keys: string[]): Promise<Map<string, number>> {
  const rows = await READ_TALLIES.rows(db, { keys });
  const counts = new Map(keys.map((key) => [key, 0]));
  for (const { key, total } of rows) counts.set(key, total);
  return counts;
}

const SUM_TALLIES = sql('sum_tallies', { total: 'float8' })`
  SELECT coalesce(sum(total), 0)::float8 AS total FROM (
    SELECT total FROM tally WHERE key BETWEEN $first AND $last
    UNION ALL
    SELECT delta FROM tally_delta WHERE key BETWEEN $first AND $last
  ) counted`;

/** The sum over a range of keys, both ends inclusive: for keys that end in a day, the count of a range of days. */
export async function sumTallies(db: Queryable, first: string, last: string): Promise<number> {
  const [row] = await SUM_TALLIES.rows(db, { first, last });
  return row!.total;
}

const FOLD_TALLIES = sql('fold_tallies', { moved: 'int' })`
  WITH taken AS (
    DELETE FROM tally_delta WHERE id IN (SELECT id FROM tally_delta ORDER BY id LIMIT $most FOR UPDATE SKIP LOCKED)
    RETURNING key, delta
  ), added AS (
    INSERT INTO tally AS t (key, total)
    SELECT key, sum(delta) FROM taken GROUP BY key ORDER BY key
    ON CONFLICT (key) DO UPDATE SET total = t.total + excluded.total
  )
  SELECT count(*)::int AS moved FROM taken`;

/** Moves deltas into totals, a limited number at a time. Returns how many it moved. */
export async function foldTallies(db: Queryable, most = 50_000): Promise<number> {
  const [row] = await FOLD_TALLIES.rows(db, { most });
  return row!.moved;
}

/** The keys of the counts maintained by database triggers (migration partner_counts). Days and months are UTC. */
export const day = (moment: Date) => moment.toISOString().slice(0, 10);
export const month = (moment: Date) => moment.toISOString().slice(0, 7);

export const tallyKeys = {
  /** ACTIVE memberships of a center: its memberCount and its taken seats. */
  centerMembers: (centerId: number) => `members:${centerId}`,
  partnerCenters: (partnerId: string) => `centers:${partnerId}`,
  /** ACTIVE memberships in all centers of a partner. */
  partnerMembers: (partnerId: string) => `members:${partnerId}`,
  /** Memberships of any status in all centers of a partner. */
  partnerMemberships: (partnerId: string) => `memberships:${partnerId}`,
  /** People who used a session in one of the partner's centers on that day. */
  activeOn: (partnerId: string, moment: Date) => `active:${day(moment)}:${partnerId}`,
  /** Money received in that month, in the smallest unit. */
  revenueIn: (partnerId: string, moment: Date) => `revenue:${month(moment)}:${partnerId}`,
  /** The partner's ACTIVE subscriptions of a plan. */
  payingFor: (partnerId: string, planId: string) => `plan:${planId}:${partnerId}`,
  /** Audit entries of the partner on a day, as YYYY-MM-DD. */
  auditOn: (partnerId: string, date: string) => `audit:${partnerId}:${date}`,
};
