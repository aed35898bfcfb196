import type { Tx } from '../../db/database.ts';

/** Figures about a center that every workflow can read as `facts`. */
interface CenterFacts {
  members: number;
  instructors: number;
  children: number;
  bookingsNext7Days: number;
  bookingsLast7Days: number;
  attendanceLast7Days: number;
  certificatesLast30Days: number;
  decisionsWaiting: number;
  draftRecords: number;
  paymentsFailedLast30Days: number;
}

/** Counts are capped here, so that a workflow costs the same in a center of any size. */
const MOST = 10_000;

export async function loadFacts(
  db: Pick<Tx, '$queryRaw'>,
  centerId: number,
  now: Date,
): Promise<CenterFacts> {
  const days = (count: number) => new Date(now.getTime() + count * 86_400_000);
  const [facts] = await db.$queryRaw<[CenterFacts]>`
    SELECT (SELECT count(*)::int FROM (SELECT FROM membership WHERE center_id = ${centerId} AND status = 'ACTIVE'
              LIMIT ${MOST}) x) AS members,
           (SELECT count(*)::int FROM (SELECT FROM membership WHERE center_id = ${centerId} AND status = 'ACTIVE'
              AND role = 'INSTRUCTOR' LIMIT ${MOST}) x) AS instructors,
           (SELECT count(*)::int FROM (SELECT FROM membership WHERE center_id = ${centerId} AND status = 'ACTIVE'
              AND role = 'CHILD' LIMIT ${MOST}) x) AS children,
           (SELECT count(*)::int FROM (SELECT FROM booking WHERE center_id = ${centerId} AND status = 'BOOKED'
              AND starts_at >= ${now} AND starts_at < ${days(7)} LIMIT ${MOST}) x) AS "bookingsNext7Days",
           (SELECT count(*)::int FROM (SELECT FROM booking WHERE center_id = ${centerId} AND status = 'BOOKED'
              AND starts_at >= ${days(-7)} AND starts_at < ${now} LIMIT ${MOST}) x) AS "bookingsLast7Days",
           (SELECT count(*)::int FROM (SELECT FROM attendance WHERE center_id = ${centerId}
              AND occurred_at >= ${days(-7)} LIMIT ${MOST}) x) AS "attendanceLast7Days",
           (SELECT count(*)::int FROM (SELECT FROM certificate WHERE center_id = ${centerId}
              AND issued_at >= ${days(-30)} LIMIT ${MOST}) x) AS "certificatesLast30Days",
           (SELECT count(*)::int FROM (SELECT FROM decision_event WHERE center_id = ${centerId}
              AND status IN ('recorded', 'approved') LIMIT ${MOST}) x) AS "decisionsWaiting",
           (SELECT count(*)::int FROM (SELECT FROM dpu WHERE center_id = ${centerId}
              AND evidence_level = 'DRAFT' LIMIT ${MOST}) x) AS "draftRecords",
           (SELECT count(*)::int FROM (SELECT FROM payment WHERE center_id = ${centerId} AND status = 'FAILED'
              AND occurred_at >= ${days(-30)} LIMIT ${MOST}) x) AS "paymentsFailedLast30Days"`;
  return facts;
}
