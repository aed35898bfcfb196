import type { Tx } from '../../db/database.ts';
import { addresseeColumns, mailAddressesOf } from '../email-domains/mail-address.ts';
import { activeAdmin } from './seats.ts';

/** The addresses for notices to the ADMINs of a center, each once. */
export async function adminAddresses(db: Tx, centerId: number): Promise<string[]> {
  const admins = await db.membership.findMany({
    where: { ...activeAdmin, centerId },
    select: { actor: { select: addresseeColumns } },
    orderBy: { id: 'asc' },
  });
  const addresses = await mailAddressesOf(
    db,
    admins.map(({ actor }) => actor!),
  );
  return [...new Set(addresses.filter((address) => address !== null))];
}
