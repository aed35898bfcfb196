import type { Actor } from '../../db/generated/prisma/client.ts';
import type { Work } from '../unit-of-work.ts';
import { renamed } from './sealed-name.ts';

/** How a provider or a directory describes a person of its center. */
export interface Description {
  name: string;
  contactEmail: string | null;
}

/**
 * Shows a person of a center as its provider or directory describes them, and audits the change there. As after a change of
 * profile, sealed records carry a new name only an hour later: a directory must not lend someone another name for one approval.
 * An account is never changed.
 */
export async function describePerson(
  work: Work,
  person: Actor,
  membership: { id: string; centerId: number; status: string },
  { name, contactEmail }: Description,
  detail: { provider?: string } = {},
): Promise<Actor> {
  const isRenamed = name !== person.name;
  if (person.homeCenterId === null || (!isRenamed && contactEmail === person.contactEmail)) return person;
  const changed = await work.db.actor.update({
    where: { id: person.id },
    data: { contactEmail, ...(isRenamed && renamed(person, name, new Date())) },
  });
  const sealedFrom = changed.earlierNameUntil?.toISOString();
  work.audit({
    type: 'membership.moved',
    target: membership.id,
    centerId: membership.centerId,
    detail: {
      from: membership.status,
      to: membership.status,
      move: 'change_profile',
      ...detail,
      ...(isRenamed && { nameBefore: person.name, name, ...(sealedFrom && { sealedFrom }) }),
      ...(contactEmail !== person.contactEmail && { address: 'changed' }),
    },
    // At a sign-in the caller is not known yet.
    ...(detail.provider && { actor: { id: person.id, email: contactEmail } }),
  });
  return changed;
}
