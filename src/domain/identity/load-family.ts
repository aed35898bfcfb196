import type { Db, Tx } from '../../db/database.ts';

/** Nobody's relatives are this many; beyond it something is wrong with the data, and requests must stay cheap. */
export const MAX_FAMILY = 500;

/**
 * The ids of every actor tied to this one by equal email or equal phone, transitively; itself included, sorted. It
 * follows the same rule as the pure `familyOf`, step by step along the indexes of both columns. The limit stands where
 * it stops the recursion itself.
 */
export async function loadFamilyIds(db: Db | Tx, actorId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE family AS (
      SELECT id, email, phone FROM actor WHERE id = ${actorId}::uuid
      UNION
      SELECT tied.id, tied.email, tied.phone
      FROM family f CROSS JOIN LATERAL (
        SELECT a.id, a.email, a.phone FROM actor a WHERE a.email = f.email AND f.email <> ''
        UNION ALL
        SELECT a.id, a.email, a.phone FROM actor a WHERE a.phone = f.phone AND f.phone <> ''
      ) tied
    )
    SELECT id FROM family LIMIT ${MAX_FAMILY}`;
  return rows.map((row) => row.id).sort();
}
