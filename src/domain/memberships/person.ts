import type { Tx } from '../../db/database.ts';
import type { ActorRole } from '../../db/generated/prisma/enums.ts';
import { normaliseEmail } from '../identity/normalise.ts';

/** Somebody to be found by their address, or to become known. */
export interface Addressee {
  email: string;
  /** What to call them if nobody knows them yet. */
  name?: string | null | undefined;
  role: ActorRole;
}

/** The person with this email; the oldest where several share it, a new one where nobody has it. */
export async function findOrCreatePerson(tx: Tx, { email, name, role }: Addressee, now: Date) {
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
      baseRole: role,
      createdAt: now,
    },
  });
}
