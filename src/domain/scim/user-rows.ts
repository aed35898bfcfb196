// The users of a directory: the members of the center who are PENDING, ACTIVE or SUSPENDED, with what the directory says of them. A
// member whom it has not described yet appears as the center knows them.
import type { Tx } from '../../db/database.ts';
import { composed, type Queryable, type RowOf, sql, typed } from '../../db/sql.ts';
import type { ScimEmail } from './emails.ts';
import type { Condition } from './filter.ts';
import type { ScimName, UserDocument } from './user-document.ts';

export const USER_ROW = {
  id: 'text',
  actorId: 'uuid',
  status: 'membership_status',
  suspendedByDirectory: 'boolean',
  emergencyAccess: 'boolean',
  personName: 'text',
  address: 'text?',
  homeCenterId: 'int?',
  /** False for a member whom the directory has not described. */
  described: 'boolean',
  userName: 'text?',
  externalId: 'text?',
  displayName: 'text?',
  name: typed<ScimName | null>('jsonb'),
  emails: typed<ScimEmail[] | null>('jsonb'),
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
} as const;

export type UserRow = RowOf<typeof USER_ROW>;

/** Of a membership `m`, its actor `a` and what the directory says of it, `s`. */
export const SELECTED = `
  SELECT m.id, m.actor_id AS "actorId", m.status, m.suspended_by_directory AS "suspendedByDirectory",
    m.emergency_access AS "emergencyAccess", a.name AS "personName", coalesce(a.email, a.contact_email) AS address,
    a.home_center_id AS "homeCenterId", s.membership_id IS NOT NULL AS described, s.user_name AS "userName",
    s.external_id AS "externalId", s.display_name AS "displayName", s.name, s.emails,
    coalesce(s.created_at, m.invited_at) AS "createdAt", greatest(s.updated_at, m.updated_at) AS "updatedAt"`;
const USERS = `
  FROM membership m JOIN actor a ON a.id = m.actor_id LEFT JOIN scim_user s ON s.membership_id = m.id
  WHERE m.center_id = $centerId AND m.status IN ('PENDING', 'ACTIVE', 'SUSPENDED')`;

const described = (condition: string) =>
  `SELECT membership_id FROM scim_user WHERE center_id = $centerId AND ended_at IS NULL AND ${condition}`;
/** Members with an address whom the directory has not described. Each part has an index of its own. */
const undescribedWith = (address: string) =>
  [`a2.email = ${address}`, `a2.home_center_id = $centerId AND a2.contact_email = ${address}`]
    .map(
      (condition) => `SELECT m2.id FROM actor a2 JOIN membership m2 ON m2.actor_id = a2.id
        WHERE ${condition} AND m2.center_id = $centerId
          AND NOT EXISTS (SELECT FROM scim_user s2 WHERE s2.membership_id = m2.id)`,
    )
    .join(' UNION ');
const among = (...selects: string[]) => `m.id = ANY (ARRAY(${selects.join(' UNION ')}))`;

/** The condition on an attribute, with the name of its parameter. */
function conditionSql(attribute: Condition['attribute'], value: string): string {
  switch (attribute) {
    case 'id':
      return `m.id = ${value}`;
    case 'userName':
      return among(
        described(`user_name_key = ${value}`),
        undescribedWith(value),
        `SELECT m2.id FROM membership m2 JOIN actor a2 ON a2.id = m2.actor_id
          WHERE m2.id = ${value} AND m2.center_id = $centerId AND a2.email IS NULL AND a2.contact_email IS NULL
            AND NOT EXISTS (SELECT FROM scim_user s2 WHERE s2.membership_id = m2.id)`,
      );
    case 'externalId':
      return among(described(`external_id = ${value}`));
    case 'displayName':
      return `lower(CASE WHEN s.membership_id IS NULL THEN a.name ELSE s.display_name END) = lower(${value})`;
    case 'active':
      return `(m.status = 'ACTIVE') = ${value}`;
    case 'emails.value':
      return among(
        described(`(email = ${value} OR EXISTS (
          SELECT FROM jsonb_array_elements(emails) e WHERE lower(e ->> 'value') = ${value}))`),
        undescribedWith(value),
      );
    case 'members.value':
      return 'false';
  }
}

const PAGE = composed('scim_users', USER_ROW);
const COUNT = composed('scim_user_count', { total: 'int' });
const USER = sql('scim_user_by_id', USER_ROW)`${SELECTED} ${USERS} AND m.id = $id`;

/** Names and addresses are compared in lower case, as they are stored. */
export const nameKey = (text: string): string => text.trim().toLowerCase().normalize('NFC');

const inLowerCase = new Set<Condition['attribute']>(['userName', 'emails.value']);

function chosenBy(conditions: readonly Condition[]) {
  const texts = conditions.map(({ attribute }, at) => `AND ${conditionSql(attribute, `$value${at}`)}`);
  const values = conditions.map(({ attribute, value }, at) => [
    `value${at}`,
    typeof value === 'string' && inLowerCase.has(attribute) ? nameKey(value) : value,
  ]);
  return {
    where: `${USERS} ${texts.join(' ')}`,
    params: Object.fromEntries(values) as Record<string, unknown>,
    // Only statements with one condition are prepared: the number of combinations has no limit.
    variant:
      conditions.length > 1 ? null : (conditions[0]?.attribute.replace('.', '_').toLowerCase() ?? 'all'),
  };
}

/** The users from a place in the order of their ids, which is that of their creation. */
export function readUsers(
  db: Queryable | Tx,
  centerId: number,
  conditions: readonly Condition[],
  { offset, limit }: { offset: number; limit: number },
): Promise<UserRow[]> {
  const { where, params, variant } = chosenBy(conditions);
  const text = () => `${SELECTED} ${where} ORDER BY m.id LIMIT $limit OFFSET $offset`;
  return PAGE(variant, text).rows(db, { ...params, centerId, offset, limit });
}

export async function countUsers(
  db: Queryable,
  centerId: number,
  conditions: readonly Condition[],
): Promise<number> {
  const { where, params, variant } = chosenBy(conditions);
  const [row] = await COUNT(variant, () => `SELECT count(*)::int AS total ${where}`).rows(db, {
    ...params,
    centerId,
  });
  return row!.total;
}

export async function readUser(db: Queryable | Tx, centerId: number, id: string): Promise<UserRow | null> {
  return (await USER.rows(db, { centerId, id }))[0] ?? null;
}

/** What the directory said of a user, or else what the center knows. */
export function documentOf(row: UserRow): UserDocument {
  const { described, address } = row;
  if (described) {
    const { userName, externalId, displayName, name, emails } = row;
    return {
      userName: userName!,
      externalId,
      displayName,
      name: name ?? {},
      emails: emails ?? [],
      active: null,
    };
  }
  return {
    userName: address ?? row.id,
    externalId: null,
    displayName: row.personName,
    name: {},
    emails: address === null ? [] : [{ value: address, type: 'work', primary: true }],
    active: null,
  };
}
