import type { Quorum } from '@countersign/proof-kit/quorum';
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

const MEMBERS_WHO_DECIDE = sql('members_who_decide', {
  id: 'text',
  actorId: 'uuid',
})`
  WITH own AS (
    SELECT g.membership_id AS id FROM approval_group_member g WHERE g.group_id = ANY ($groups) AND g.center_id = $centerId
  )
  SELECT m.id, m.actor_id AS "actorId" FROM membership m JOIN actor a ON a.id = m.actor_id AND a.suspended_at IS NULL
  WHERE m.status = 'ACTIVE' AND m.center_id = $centerId AND (m.role = 'ADMIN' OR m.id IN (SELECT id FROM own) OR m.id IN (
    SELECT d.to_membership_id FROM delegation d JOIN own ON own.id = d.from_membership_id
    WHERE d.ended_at IS NULL AND d.starts_at <= $at::timestamptz AND d.ends_at > $at::timestamptz))`;

/** A person with the rights of their membership. */
export interface ApprovingMember {
  actorId: string;
  rights: ApprovalRights;
}

/** The ADMINs of a center, the members of these groups, and their delegates. Suspended accounts are left out. */
export async function membersWhoDecide(
  db: Queryable,
  centerId: number,
  groups: readonly string[],
  at: Date,
): Promise<ApprovingMember[]> {
  const rows = await MEMBERS_WHO_DECIDE.rows(db, { groups, centerId, at: at.toISOString() });
  const ids = rows.map(({ id }) => id);
  const rightsById = await approvalRightsOf(db, ids, at);
  return rows.flatMap(({ id, actorId }) => {
    const rights = rightsById.get(id);
    return rights ? [{ actorId, rights }] : [];
  });
}

const SEAT_PEOPLE = sql('people_for_seats', {
  centerId: 'int',
  actorId: 'uuid',
  isAdmin: 'boolean',
  groups: 'text[]',
})`
  SELECT m.center_id AS "centerId", m.actor_id AS "actorId", m.role = 'ADMIN' AS "isAdmin",
    ARRAY (SELECT g.group_id FROM approval_group_member g WHERE g.membership_id = m.id AND g.group_id = ANY ($groups)) AS groups
  FROM membership m JOIN actor a ON a.id = m.actor_id AND a.suspended_at IS NULL
  WHERE m.center_id = ANY ($centerIds) AND m.status = 'ACTIVE' AND (m.role = 'ADMIN' OR m.id IN (
    SELECT g.membership_id FROM approval_group_member g WHERE g.group_id = ANY ($groups)))`;

const WITH_PASSKEYS = sql('actors_with_passkeys', { actorId: 'uuid' })`
  SELECT actor_id AS "actorId" FROM actors_with_passkeys($actorIds::uuid[]) actor_id`;

/** Which of these people have a passkey. */
export async function passkeyOwners(db: Queryable, actorIds: readonly string[]): Promise<Set<string>> {
  const rows = actorIds.length > 0 ? await WITH_PASSKEYS.rows(db, { actorIds }) : [];
  return new Set(rows.map(({ actorId }) => actorId));
}

/** A member who could approve. */
export interface SeatPerson {
  actorId: string;
  isAdmin: boolean;
  groups: readonly string[];
  /** False also if no seat requires a signature. */
  canSign: boolean;
}

/** The members who can fill seats for any human or for one of the groups of these quorums, by center. */
export async function seatPeopleOf(
  db: Queryable,
  centerIds: readonly number[],
  quorums: readonly Quorum[],
): Promise<Map<number, SeatPerson[]>> {
  const rows = await SEAT_PEOPLE.rows(db, { centerIds, groups: [...new Set(groupsOfQuorums(quorums))] });
  const mustSign = quorums.some(({ seats }) =>
    seats.some(({ authentication }) => authentication === 'SIGNED'),
  );
  const actorIds = rows.map(({ actorId }) => actorId);
  const canSign = await passkeyOwners(db, mustSign ? actorIds : []);
  const people = rows.map((row) => ({ ...row, canSign: canSign.has(row.actorId) }));
  return Map.groupBy(people, ({ centerId }) => centerId);
}

/** The groups whose members can approve what these quorums ask for. */
export const groupsOfQuorums = (quorums: readonly Quorum[]): string[] =>
  quorums.flatMap(({ seats, escalation }) => [
    ...seats.flatMap(({ group }) => group ?? []),
    ...(escalation ? [escalation.group] : []),
  ]);
