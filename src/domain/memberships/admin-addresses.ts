import type { Tx } from '../../db/database.ts';

/** The addresses of the ADMINs of a center, each once. */
export async function adminAddresses(db: Tx, centerId: number): Promise<string[]> {
  const admins = await db.membership.findMany({
    where: { centerId, role: 'ADMIN', status: 'ACTIVE', actor: { email: { not: null } } },
    select: { actor: { select: { email: true } } },
    orderBy: { id: 'asc' },
  });
  return [...new Set(admins.map(({ actor }) => actor!.email!))];
}
