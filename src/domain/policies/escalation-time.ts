/**
 * SQL: the shortest time after which a policy of the center escalates, or null. It ignores which actions the policies cover:
 * the pass over due decisions evaluates them exactly, once for each decision.
 */
export const escalatesAfterSql = (centerId: string) => `(
  SELECT min((p.guards ->> 'escalateAfterSeconds')::int) * interval '1 second' FROM policy p
  WHERE p.center_id = ${centerId} AND p.active AND p.guards ->> 'escalateToGroup' IS NOT NULL)`;
