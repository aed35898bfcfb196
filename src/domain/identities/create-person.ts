import type { Actor, Membership } from '../../db/generated/prisma/client.ts';
import type { ActorRole, MembershipStatus } from '../../db/generated/prisma/enums.ts';
import { newId } from '../../lib/ids.ts';
import type { Work } from '../unit-of-work.ts';

export interface NewPerson {
  centerId: number;
  name: string;
  /** The address to display, if the provider or the directory gave one. It identifies no one. */
  contactEmail: string | null;
  role: ActorRole;
  status: Extract<MembershipStatus, 'PENDING' | 'ACTIVE' | 'SUSPENDED'>;
  now: Date;
  /** Whether a CHILD counts as consenting. The center answers for its own people. */
  childConsent: boolean;
}

/**
 * Creates a person who exists only in this center, with a membership. Call it under `lockCenter`, after `takeSeat` for an
 * ACTIVE one; the caller writes the audit entry.
 */
export async function createPersonOfCenter(
  work: Work,
  person: NewPerson,
): Promise<{ actor: Actor; membership: Membership }> {
  const { centerId, role, status, now, childConsent } = person;
  const actor = await createActorOfCenter(work, person);
  const membership = await work.db.membership.create({
    data: {
      id: newId('mbr'),
      centerId,
      actorId: actor.id,
      role,
      status,
      invitedAt: now,
      acceptedAt: now,
      activatedAt: status === 'ACTIVE' ? now : null,
      childConsentAt: childConsent && role === 'CHILD' ? now : null,
    },
  });
  return { actor, membership };
}

/** The person alone, for a membership that exists already. */
export function createActorOfCenter(
  { db }: Work,
  {
    centerId,
    name,
    contactEmail,
    role,
    now,
  }: Pick<NewPerson, 'centerId' | 'name' | 'contactEmail' | 'role' | 'now'>,
): Promise<Actor> {
  return db.actor.create({
    data: { homeCenterId: centerId, name, contactEmail, baseRole: role, createdAt: now },
  });
}
