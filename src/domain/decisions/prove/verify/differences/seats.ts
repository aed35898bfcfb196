// Compares the rows of groups and delegations with their newest records on the journal.

import type { Queryable } from '../../../../../db/database.ts';
import { type RowOf, sql } from '../../../../../db/sql.ts';
import type { Differences } from './difference.ts';
import { newestKnown, type SeatEntry, type SeatHistory } from './seat-history.ts';

const GROUPS = sql('compare_groups', { id: 'text', name: 'text', members: 'text[]' })`
  SELECT g.id, g.name, ARRAY (
    SELECT m.actor_id::text FROM approval_group_member a JOIN membership m ON m.id = a.membership_id
    WHERE a.group_id = g.id AND a.center_id = g.center_id) AS members
  FROM approval_group g WHERE g.center_id = $centerId`;

const DELEGATIONS = sql('compare_delegations', {
  id: 'text',
  from: 'text?',
  to: 'text?',
  startsAt: 'timestamptz',
  endsAt: 'timestamptz',
  endedAt: 'timestamptz?',
})`
  SELECT d.id, f.actor_id::text AS "from", t.actor_id::text AS "to", d.starts_at AS "startsAt", d.ends_at AS "endsAt",
         d.ended_at AS "endedAt"
  FROM delegation d
  JOIN membership f ON f.id = d.from_membership_id JOIN membership t ON t.id = d.to_membership_id
  WHERE d.center_id = $centerId`;

/** Rows without a record, or with another one than it says, and records without a row. */
export async function compareSeats(
  db: Queryable,
  centerId: number,
  history: SeatHistory,
  found: Differences,
): Promise<void> {
  const tables = [
    ['group', 'approval_group', await GROUPS.rows(db, { centerId }), groupMembers],
    ['delegation', 'delegation', await DELEGATIONS.rows(db, { centerId }), delegationMembers],
  ] as const;
  for (const [kind, table, rows, membersOf] of tables) {
    const named = (id: string, index: number | null, member: string | null) =>
      found.add({ table, id, chain: 'journal', index, member });
    const newest = new Map<string, SeatEntry>();
    for (const [id, entries] of history) {
      const last = entries.findLast(({ content }) => content['kind'] === kind);
      if (last && last.content['deleted'] !== true) newest.set(id, last);
    }
    for (const row of rows) {
      const entry = newest.get(row.id);
      newest.delete(row.id);
      if (!entry) named(row.id, history.get(row.id)?.at(-1)?.index ?? null, null);
      else for (const member of membersOf(row as never, entry)) named(row.id, entry.index, member);
    }
    for (const [id, { index }] of newest) named(id, index, null);
  }
}

function groupMembers({ id, name, members }: RowOf<typeof GROUPS>, entry: SeatEntry): string[] {
  const known = newestKnown(id, entry).groups.get(id);
  const isSame =
    known !== undefined && !known.hasMore && known.members.toSorted().join() === members.toSorted().join();
  return [...(entry.content['name'] === name ? [] : ['name']), ...(isSame ? [] : ['members'])];
}

function delegationMembers(row: RowOf<typeof DELEGATIONS>, entry: SeatEntry): string[] {
  const known = newestKnown(row.id, entry).delegations.get(row.id);
  const isSame = {
    from: known?.from === row.from,
    to: known?.to === row.to,
    starts: known?.starts === row.startsAt.toISOString(),
    until: known?.until === row.endsAt.toISOString(),
    ended: known?.ended === row.endedAt?.toISOString(),
  };
  return Object.entries(isSame).flatMap(([member, same]) => (same ? [] : [member]));
}
