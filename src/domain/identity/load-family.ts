import type { Db, Tx } from '../../db/database.ts';

/** The ids of every actor tied to this one by equal email or equal phone, transitively; itself included. */
export async function loadFamilyIds(db: Db | Tx, actorId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE family AS (
      SELECT id, email, phone FROM actor WHERE id = ${actorId}::uuid
      UNION
      SELECT a.id, a.email, a.phone
      FROM family f JOIN actor a ON a.email = f.email OR a.phone = f.phone
    )
    SELECT id FROM family ORDER BY id`;
  return rows.map((row) => row.id);
}
