import { randomUUID } from 'node:crypto';
import type { ActorRole, MembershipStatus } from '../../db/generated/prisma/enums.ts';
import { sql } from '../../db/sql.ts';
import { newId } from '../../lib/ids.ts';
import type { Work } from '../unit-of-work.ts';

export interface NewPerson {
  centerId: number;
  name: string;
  /** The address to display, if the provider or the directory gave one. It identifies no one. */
  contactEmail: string | null;
  role: ActorRole;
  now: Date;
}

export interface NewMembership {
  status: Extract<MembershipStatus, 'PENDING' | 'ACTIVE' | 'SUSPENDED'>;
  suspendedByDirectory: boolean;
}

const CREATE = sql('create_person_of_center')`
  WITH person AS (
    INSERT INTO actor (id, home_center_id, name, contact_email, base_role, created_at)
    VALUES ($actorId, $centerId, $name, $contactEmail, $role::actor_role, $now) RETURNING id
  )
  INSERT INTO membership (id, center_id, actor_id, role, status, suspended_by_directory, invited_at, accepted_at,
    updated_at, activated_at, child_consent_at)
  SELECT $membershipId::text, $centerId, id, $role::actor_role, $status::membership_status, $suspendedByDirectory,
    $now, $now, $now, CASE WHEN $status::membership_status = 'ACTIVE' THEN $now::timestamptz END,
    CASE WHEN $role::actor_role = 'CHILD' THEN $now::timestamptz END
  FROM person WHERE $membershipId::text IS NOT NULL`;

/**
 * Creates a person who exists only in this center, with a membership, and returns their ids. A CHILD counts as consenting: the
 * center answers for its own people. Call it under `lockCenter`, after `takeSeat` for an ACTIVE one; the caller writes the
 * audit entry. One statement for both rows, because a directory creates thousands
 * (docs/decisions/0036-prepared-in-transactions.md).
 */
export async function createPersonOfCenter(
  work: Work,
  person: NewPerson,
  membership: NewMembership,
): Promise<{ actorId: string; membershipId: string }> {
  const ids = { actorId: randomUUID(), membershipId: newId('mbr') };
  await CREATE.run(work.db, { ...ids, ...person, ...membership });
  return ids;
}

/** The person alone, for a membership that exists already. Returns the id. */
export async function createActorOfCenter(work: Work, person: NewPerson): Promise<string> {
  const actorId = randomUUID();
  const none = { membershipId: null, status: null, suspendedByDirectory: false };
  await CREATE.run(work.db, { actorId, ...person, ...none });
  return actorId;
}
