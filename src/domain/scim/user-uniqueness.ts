import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { primaryAddress } from './emails.ts';
import { notUnique } from './errors.ts';
import type { UserDocument } from './user-document.ts';
import { nameKey } from './user-rows.ts';

const OPEN = `m.center_id = $centerId AND m.status IN ('PENDING', 'ACTIVE', 'SUSPENDED') AND m.id <> $id`;

/** Other users with one of the names: of the directory, with an account, or whom the directory has not described. */
const SIMILAR = sql('similar_scim_users', { userName: 'text?', externalId: 'text?', address: 'text?' })`
  SELECT user_name_key AS "userName", external_id AS "externalId", email AS address FROM scim_user
  WHERE center_id = $centerId AND ended_at IS NULL AND membership_id <> $id
    AND (user_name_key = $userName OR external_id = $externalId OR email = $address)
  UNION ALL
  SELECT a.email, NULL, a.email FROM actor a JOIN membership m ON m.actor_id = a.id
  WHERE a.email IN ($userName, $address) AND ${OPEN}
  UNION ALL
  SELECT a.contact_email, NULL, a.contact_email FROM actor a JOIN membership m ON m.actor_id = a.id
  WHERE a.home_center_id = $centerId AND a.contact_email IN ($userName, $address) AND ${OPEN}
    AND NOT EXISTS (SELECT FROM scim_user s WHERE s.membership_id = m.id)`;

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
  const changed = (value: string | null, earlier: string | null | undefined) =>
    value === earlier ? null : value;
  const names = {
    userName: changed(nameKey(user.userName), before && nameKey(before.userName)),
    externalId: changed(user.externalId, before?.externalId),
    address: changed(primaryAddress(user.emails), before && primaryAddress(before.emails)),
  };
  const others = await SIMILAR.rows(db, { centerId, id: id ?? '', ...names });
  for (const [name, attribute] of ATTRIBUTES) {
    if (names[name] !== null && others.some((other) => other[name] === names[name]))
      throw notUnique(attribute, 'belongs to another user');
  }
}

const ATTRIBUTES = [
  ['userName', 'userName'],
  ['externalId', 'externalId'],
  ['address', 'emails.value'],
] as const;
