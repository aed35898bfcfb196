// A family is a set of actors connected by an equal email or an equal phone, directly or through others. Emails and phones are
// compared as stored, that is, normalized.
import type { Db, Tx } from '../../db/database.ts';

export interface FamilyMember {
  id: string;
  email: string | null;
  phone: string | null;
}

/** All families, each as sorted ids, ordered by their first ids. Every actor is in exactly one. */
export function families(actors: readonly FamilyMember[]): string[][] {
  const parent = new Map(actors.map(({ id }) => [id, id]));

  const rootOf = (id: string): string => {
    let root = id;
    while (parent.get(root) !== root) root = parent.get(root)!;
    // Path compression keeps long chains cheap.
    for (let at = id; at !== root; ) {
      const next = parent.get(at)!;
      parent.set(at, root);
      at = next;
    }
    return root;
  };

  const firstWith = new Map<string, string>();
  const tie = (id: string, contact: string) => {
    const other = firstWith.get(contact);
    if (other === undefined) firstWith.set(contact, id);
    else parent.set(rootOf(id), rootOf(other));
  };
  for (const { id, email, phone } of actors) {
    // The kind is part of the key, because an email never equals a phone. A missing value connects no accounts.
    if (email) tie(id, `email:${email}`);
    if (phone) tie(id, `phone:${phone}`);
  }

  const byRoot = Map.groupBy([...parent.keys()].sort(), rootOf);
  return [...byRoot.values()];
}

/** The sorted ids of the actor's family, including itself; empty if the actor is not in the list. */
export function familyOf(actors: readonly FamilyMember[], id: string): string[] {
  return families(actors).find((family) => family.includes(id)) ?? [];
}

/** No person has this many related accounts. Beyond it the data is wrong, and requests must stay cheap. */
export const MAX_FAMILY = 500;

/**
 * The sorted ids of every actor connected to this one by equal email or phone, transitively, including itself. Same rule as
 * the pure `familyOf`, but uses the indexes of both columns. The limit is placed where it stops the recursion itself.
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
