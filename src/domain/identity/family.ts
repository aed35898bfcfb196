// A family is a set of actors connected by an equal email or an equal phone, directly or through others. Emails and phones are
// compared as stored, that is, normalized. A suspended account gives its relatives no rights, so it connects to no one.
import type { Db, Tx } from '../../db/database.ts';

/** No person has this many related accounts. Beyond it the data is wrong, and requests must stay cheap. */
export const MAX_FAMILY = 500;

/**
 * The sorted ids of every actor connected to this one by equal email or phone, transitively, including itself. Uses the
 * indexes of both columns. The limit is placed where it stops the recursion itself.
 */
export async function loadFamilyIds(db: Db | Tx, actorId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE family AS (
      SELECT id, email, phone, suspended_at FROM actor WHERE id = ${actorId}::uuid
      UNION
      SELECT tied.id, tied.email, tied.phone, tied.suspended_at
      FROM family f CROSS JOIN LATERAL (
        SELECT a.id, a.email, a.phone, a.suspended_at FROM actor a WHERE a.email = f.email AND f.email <> ''
        UNION ALL
        SELECT a.id, a.email, a.phone, a.suspended_at FROM actor a WHERE a.phone = f.phone AND f.phone <> ''
      ) tied WHERE tied.suspended_at IS NULL
    )
    SELECT id FROM family LIMIT ${MAX_FAMILY}`;
  return rows.map((row) => row.id).sort();
}
