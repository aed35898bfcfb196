import { type RowOf, sql, type Transaction } from '../../db/sql.ts';

/** Counts are capped here, so that a workflow costs the same in a center of any size. */
const MOST = 10_000;

const counted = (table: string, condition: string) =>
  `(SELECT count(*)::int FROM (SELECT FROM ${table} WHERE center_id = $centerId AND ${condition} LIMIT ${MOST}) x)`;

const FACTS = sql('center_facts', {
  members: 'int',
  instructors: 'int',
  children: 'int',
  bookingsNext7Days: 'int',
  bookingsLast7Days: 'int',
  attendanceLast7Days: 'int',
  certificatesLast30Days: 'int',
  decisionsWaiting: 'int',
  draftRecords: 'int',
  paymentsFailedLast30Days: 'int',
})`
  SELECT ${counted('membership', `status = 'ACTIVE'`)} AS members,
         ${counted('membership', `status = 'ACTIVE' AND role = 'INSTRUCTOR'`)} AS instructors,
         ${counted('membership', `status = 'ACTIVE' AND role = 'CHILD'`)} AS children,
         ${counted('booking', `status = 'BOOKED' AND starts_at >= $now AND starts_at < $inWeek`)} AS "bookingsNext7Days",
         ${counted('booking', `status = 'BOOKED' AND starts_at >= $weekAgo AND starts_at < $now`)} AS "bookingsLast7Days",
         ${counted('attendance', 'occurred_at >= $weekAgo')} AS "attendanceLast7Days",
         ${counted('certificate', 'issued_at >= $monthAgo')} AS "certificatesLast30Days",
         ${counted('decision_event', `status IN ('recorded', 'approved')`)} AS "decisionsWaiting",
         ${counted('dpu', `evidence_level = 'DRAFT'`)} AS "draftRecords",
         ${counted('payment', `status = 'FAILED' AND occurred_at >= $monthAgo`)} AS "paymentsFailedLast30Days"`;

/** Figures about a center that every workflow can read as `facts`. */
export async function loadFacts(db: Transaction, centerId: number, now: Date): Promise<RowOf<typeof FACTS>> {
  const days = (count: number) => new Date(now.getTime() + count * 86_400_000);
  const dates = { now, inWeek: days(7), weekAgo: days(-7), monthAgo: days(-30) };
  const [facts] = await FACTS.rows(db, { centerId, ...dates });
  return facts!;
}
