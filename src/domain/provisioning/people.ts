import { z } from 'zod';
import type { Tx } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { normaliseEmail } from '../identity/normalise.ts';
import type { Work } from '../unit-of-work.ts';

export const emailField = z.email().max(254);

/** The person with this email; the oldest where several share it, a new one where nobody has it. */
export async function findOrCreateAdmin(tx: Tx, email: string, name: string | null, now: Date) {
  const address = normaliseEmail(email);
  const known = await tx.actor.findFirst({
    where: { email: address },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  if (known) return known;
  return tx.actor.create({
    data: {
      email: address,
      name: name ?? address.slice(0, address.indexOf('@')),
      baseRole: 'ADMIN',
      createdAt: now,
    },
  });
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
