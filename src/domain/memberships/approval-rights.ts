import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** A member's groups and delegations at one moment, which determine the seats they can fill. */
export interface ApprovalRights {
  isAdmin: boolean;
  /** Ids of the approval groups that the member belongs to. */
  groups: readonly string[];
  /** Delegations that the member received. They cannot be passed on. */
  delegations: readonly { id: string; delegatorId: string; groups: readonly string[] }[];
}

const RIGHTS_OF_MEMBERSHIPS = sql<ApprovalRights & { id: string }>('approval_rights_of_memberships')`
  SELECT m.id, m.role = 'ADMIN' AS "isAdmin",
    ARRAY (SELECT g.group_id FROM approval_group_member g WHERE g.membership_id = m.id ORDER BY 1) AS groups,
    coalesce((
      SELECT json_agg(json_build_object('id', d.id, 'delegatorId', f.actor_id, 'groups', ARRAY (
        SELECT g.group_id FROM approval_group_member g WHERE g.membership_id = f.id ORDER BY 1)) ORDER BY d.id)
      FROM delegation d
      JOIN membership f ON f.id = d.from_membership_id AND f.status = 'ACTIVE'
      WHERE d.to_membership_id = m.id AND d.ended_at IS NULL AND d.starts_at <= $at::timestamptz
        AND d.ends_at > $at::timestamptz), '[]') AS delegations
  FROM membership m WHERE m.id = ANY ($membershipIds::text[]) AND m.status = 'ACTIVE'`;

/** The rights of ACTIVE memberships, by id. */
export async function approvalRightsOf(
  db: Queryable,
  membershipIds: readonly string[],
  at: Date,
): Promise<Map<string, ApprovalRights>> {
  const rows = await RIGHTS_OF_MEMBERSHIPS.rows(db, { membershipIds, at: at.toISOString() });
  return new Map(rows.map(({ id, ...rights }) => [id, rights]));
}
