import type { Tx } from '../../db/database.ts';
import { composed, type Queryable, type RowOf, sql, typed } from '../../db/sql.ts';
import type { Condition } from './filter.ts';

export interface GroupMember {
  value: string;
  display: string;
}

const GROUP_ROW = {
  id: 'text',
  name: 'text',
  externalId: 'text?',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  members: typed<GroupMember[] | null>('json'),
} as const;

/** A group of the directory. `members` is null if they were not read. */
export type GroupRow = RowOf<typeof GROUP_ROW>;

/** A page ends before it has more members than this, so that its size is bounded. A page of one group has all of them. */
const MOST_MEMBERS = 5_000;

const SELECTED = `g.id, g.name, g.external_id AS "externalId", g.created_at AS "createdAt", g.updated_at AS "updatedAt"`;
const GROUPS = `FROM approval_group g WHERE g.center_id = $centerId AND g.source = 'SCIM'`;
const MEMBERS = `
  CASE WHEN $withMembers::boolean THEN (
    SELECT coalesce(json_agg(json_build_object('value', m.id, 'display', a.name) ORDER BY m.id), '[]')
    FROM approval_group_member gm JOIN membership m ON m.id = gm.membership_id JOIN actor a ON a.id = m.actor_id
    WHERE gm.group_id = g.id AND m.status IN ('PENDING', 'ACTIVE', 'SUSPENDED')) END AS members`;

function conditionSql(attribute: Condition['attribute'], value: string): string {
  switch (attribute) {
    case 'id':
      return `g.id = ${value}`;
    case 'externalId':
      return `g.external_id = ${value}`;
    case 'displayName':
      return `lower(g.name) = lower(${value})`;
    case 'members.value':
      return `EXISTS (SELECT FROM approval_group_member f WHERE f.group_id = g.id AND f.membership_id = ${value})`;
    default:
      return 'false';
  }
}

function chosenBy(conditions: readonly Condition[]) {
  const texts = conditions.map(({ attribute }, at) => `AND ${conditionSql(attribute, `$value${at}`)}`);
  return {
    where: `${GROUPS} ${texts.join(' ')}`,
    params: Object.fromEntries(conditions.map(({ value }, at) => [`value${at}`, value])) as Record<
      string,
      unknown
    >,
    // Only statements with one condition are prepared: the number of combinations has no limit.
    variant:
      conditions.length > 1 ? null : (conditions[0]?.attribute.replace('.', '_').toLowerCase() ?? 'all'),
  };
}

const PAGE = composed('scim_groups', GROUP_ROW);
const COUNT = composed('scim_group_count', { total: 'int' });
const GROUP = sql('scim_group_by_id', GROUP_ROW)`SELECT ${SELECTED}, ${MEMBERS} ${GROUPS} AND g.id = $id`;

/** The groups from a place in the order of their ids, which is that of their creation. */
export function readGroups(
  db: Queryable,
  centerId: number,
  conditions: readonly Condition[],
  { offset, limit, withMembers }: { offset: number; limit: number; withMembers: boolean },
): Promise<GroupRow[]> {
  const { where, params, variant } = chosenBy(conditions);
  const text = () => `
    SELECT ${SELECTED}, ${MEMBERS}
    FROM (SELECT p.*, sum(p.size) OVER (ORDER BY p.id) AS so_far, row_number() OVER (ORDER BY p.id) AS place
      FROM (SELECT g.*, CASE WHEN $withMembers::boolean
          THEN (SELECT count(*) FROM approval_group_member c WHERE c.group_id = g.id) ELSE 0 END AS size
        ${where} ORDER BY g.id LIMIT $limit OFFSET $offset) p) g
    WHERE g.place = 1 OR g.so_far <= ${MOST_MEMBERS} ORDER BY g.id`;
  return PAGE(variant, text).rows(db, { ...params, centerId, offset, limit, withMembers });
}

export async function countGroups(
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

export async function readGroup(
  db: Queryable | Tx,
  centerId: number,
  { id, withMembers }: { id: string; withMembers: boolean },
): Promise<GroupRow | null> {
  return (await GROUP.rows(db, { centerId, id, withMembers }))[0] ?? null;
}
