import type { Tx } from '../../db/database.ts';
import { primaryAddress } from './emails.ts';
import { notUnique } from './errors.ts';
import type { UserDocument } from './user-document.ts';
import { type Lookup, nameKey, readUsers } from './user-rows.ts';

/**
 * Throws unless the new names and the new address of a user belong to no other one, in any case. Call it under `lockCenter`.
 * Addresses of accounts count too: a second person for a member would take a second seat. Names that stay are not checked,
 * because members of a family can share an address.
 */
export async function requireOwnNames(
  db: Tx,
  centerId: number,
  user: UserDocument,
  { id, before }: { id: string | null; before: UserDocument | null },
): Promise<void> {
  const isTaken = async (lookup: Lookup) => {
    const rows = await readUsers(db, centerId, [lookup], { offset: 0, limit: 2 });
    return rows.some((row) => row.id !== id);
  };
  const isOfAccount = async (email: string) =>
    (await db.membership.count({
      where: {
        centerId,
        id: { not: id ?? '' },
        status: { in: ['PENDING', 'ACTIVE', 'SUSPENDED'] },
        actor: { email },
      },
    })) > 0;

  const { externalId } = user;
  const userName = nameKey(user.userName);
  const address = primaryAddress(user.emails);
  if (userName !== (before && nameKey(before.userName))) {
    if ((await isTaken({ attribute: 'userName', value: userName })) || (await isOfAccount(userName)))
      throw notUnique('userName', 'belongs to another user');
  }
  if (externalId !== null && externalId !== before?.externalId) {
    if (await isTaken({ attribute: 'externalId', value: externalId }))
      throw notUnique('externalId', 'belongs to another user');
  }
  if (address !== null && address !== (before && primaryAddress(before.emails))) {
    if ((await isTaken({ attribute: 'address', value: address })) || (await isOfAccount(address)))
      throw notUnique('emails.value', 'belongs to another user');
  }
}
