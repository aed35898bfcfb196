import type { Queryable } from '../../db/database.ts';
import { type RowOf, sql, typed } from '../../db/sql.ts';

const RIGHTS_OF_MEMBERSHIPS = sql('approval_rights_of_memberships', {
  id: 'text',
  isAdmin: 'boolean',
  /** Ids of the approval groups that the member belongs to. */
  groups: 'text[]',
  /** Delegations that the member received. They cannot be passed on. */
  delegations: typed<readonly { id: string; delegatorId: string; groups: readonly string[] }[]>('json'),
})`
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

/** A member's groups and delegations at one moment, which determine the seats they can fill. */
export type ApprovalRights = Omit<RowOf<typeof RIGHTS_OF_MEMBERSHIPS>, 'id'>;

/** The rights of ACTIVE memberships, by id. */
export async function approvalRightsOf(
  db: Queryable,
  membershipIds: readonly string[],
  at: Date,
): Promise<Map<string, ApprovalRights>> {
  const rows = await RIGHTS_OF_MEMBERSHIPS.rows(db, { membershipIds, at: at.toISOString() });
  return new Map(rows.map(({ id, ...rights }) => [id, rights]));
}
