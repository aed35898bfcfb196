import type { Db, Tx } from '../../db/database.ts';
import { addresseeColumns, mailAddressesOf } from './mail-address.ts';

/** The addresses of the ADMINs of a center, each once. */
export async function adminAddresses(db: Db | Tx, centerId: number): Promise<string[]> {
  const admins = await db.membership.findMany({
    where: { centerId, role: 'ADMIN', status: 'ACTIVE', actorId: { not: null } },
    select: { actor: { select: addresseeColumns } },
    orderBy: { id: 'asc' },
  });
  const addresses = await mailAddressesOf(
    db,
    admins.map(({ actor }) => actor!),
  );
  return [...new Set(addresses.filter((address) => address !== null))];
}
