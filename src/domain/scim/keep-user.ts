import { isUniqueViolation } from '../../db/faults.ts';
import type { Actor } from '../../db/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { describePerson } from '../identity/describe-person.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { primaryAddress } from './emails.ts';
import { notUnique } from './errors.ts';
import { shownNameOf, type UserDocument } from './user-document.ts';
import { nameKey } from './user-rows.ts';

/** Runs a change. Concurrent ones are serialized; the unique indexes are the second line. */
export async function changeUsers<T>(ctx: Context, work: (work: Work) => Promise<T>): Promise<T> {
  try {
    return await transact.acrossTenants(ctx, work);
  } catch (error) {
    if (isUniqueViolation(error)) throw notUnique('userName or externalId', 'belongs to another user');
    throw error;
  }
}

/** Stores what the directory says of a user. */
export async function keepUser(
  ctx: Context,
  { db }: Work,
  centerId: number,
  membershipId: string,
  { userName, externalId, displayName, name, emails }: UserDocument,
): Promise<void> {
  const data = {
    userName,
    userNameKey: nameKey(userName),
    externalId,
    displayName,
    name: { ...name },
    emails: emails.map((email) => ({ ...email })),
    email: primaryAddress(emails),
    updatedAt: ctx.now,
  };
  await db.scimUser.upsert({
    where: { membershipId },
    create: { ...data, membershipId, centerId, createdAt: ctx.now },
    update: data,
  });
}

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
