import { z } from 'zod';
import type { Tx } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { findOrCreatePerson } from '../memberships/person.ts';
import type { Work } from '../unit-of-work.ts';

export const emailField = z.email().max(254);

/** The person who shall administer a center. */
export function findOrCreateAdmin(tx: Tx, email: string, name: string | null, now: Date) {
  return findOrCreatePerson(tx, { email, name, role: 'ADMIN' }, now);
}

/** Makes an actor the administrator of a new center. */
export async function addAdmin(
  { db, audit }: Work,
  centerId: number,
  actorId: string,
  status: 'INVITED' | 'ACTIVE',
  now: Date,
) {
  const membership = await db.membership.create({
    data: {
      id: newId('mbr'),
      centerId,
      actorId,
      role: 'ADMIN',
      status,
      invitedAt: now,
      activatedAt: status === 'ACTIVE' ? now : null,
    },
  });
  audit({
    type: 'membership.moved',
    centerId,
    target: membership.id,
    detail: { from: null, to: status, role: 'ADMIN' },
  });
  return membership;
}
