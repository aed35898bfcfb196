import { isUniqueViolation } from '../../db/faults.ts';
import type { Actor } from '../../db/generated/prisma/client.ts';
import { sql } from '../../db/sql.ts';
import type { Context } from '../context.ts';
import { describePerson } from '../identity/describe-person.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { primaryAddress } from './emails.ts';
import { notUnique } from './errors.ts';
import { shownNameOf, type UserDocument } from './user-document.ts';
import { nameKey, SELECTED, USER_ROW, type UserRow } from './user-rows.ts';

/** Runs a change. Concurrent ones are serialized; the unique indexes are the second line. */
export async function changeUsers<T>(ctx: Context, work: (work: Work) => Promise<T>): Promise<T> {
  try {
    return await transact.acrossTenants(ctx, work);
  } catch (error) {
    if (isUniqueViolation(error)) throw notUnique('userName or externalId', 'belongs to another user');
    throw error;
  }
}

/** Stores what the directory says of a user, and returns the user in one round trip. */
export async function keepUser(
  ctx: Context,
  { db }: Work,
  centerId: number,
  membershipId: string,
  { userName, externalId, displayName, name, emails }: UserDocument,
): Promise<UserRow> {
  const [row] = await KEEP.rows(db, {
    membershipId,
    centerId,
    userName,
    userNameKey: nameKey(userName),
    externalId,
    displayName,
    name: JSON.stringify(name),
    emails: JSON.stringify(emails),
    email: primaryAddress(emails),
    now: ctx.now,
  });
  return row!;
}

const KEEP = sql('keep_scim_user', USER_ROW)`
  WITH s AS (
    INSERT INTO scim_user (membership_id, center_id, user_name, user_name_key, external_id, display_name, name, emails,
      email, created_at, updated_at)
    VALUES ($membershipId, $centerId, $userName, $userNameKey, $externalId, $displayName, $name::jsonb, $emails::jsonb,
      $email, $now, $now)
    ON CONFLICT (membership_id) DO UPDATE SET user_name = EXCLUDED.user_name, user_name_key = EXCLUDED.user_name_key,
      external_id = EXCLUDED.external_id, display_name = EXCLUDED.display_name, name = EXCLUDED.name,
      emails = EXCLUDED.emails, email = EXCLUDED.email, updated_at = EXCLUDED.updated_at
    RETURNING *
  )
  ${SELECTED} FROM s JOIN membership m ON m.id = s.membership_id JOIN actor a ON a.id = m.actor_id`;

/** Shows a person of the center as the directory describes them. */
export const describeUser = (
  work: Work,
  person: Actor,
  membership: { id: string; centerId: number; status: string },
  user: UserDocument,
) =>
  describePerson(work, person, membership, {
    name: shownNameOf(user),
    contactEmail: primaryAddress(user.emails),
  });
