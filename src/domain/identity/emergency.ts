// ADMINs with emergency access enter their center without its identity provider. Every entry is told to all its ADMINs, because
// a password that few people use is one that few people watch.

import type { Db, Tx } from '../../db/database.ts';
import type { Actor } from '../../db/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { adminAddresses } from '../email-domains/admin-addresses.ts';
import type { Work } from '../unit-of-work.ts';

/** Whether the person is an ADMIN of the center with emergency access. */
export async function isMarkedAdmin(db: Db | Tx, actorId: string, centerId: number): Promise<boolean> {
  const marked = { actorId, centerId, emergencyAccess: true, role: 'ADMIN', status: 'ACTIVE' } as const;
  return (await db.membership.count({ where: marked })) > 0;
}

/** Whether only that lets the person enter with a password or a passkey. */
export async function isEmergencyEntry(db: Db | Tx, actorId: string, centerId: number): Promise<boolean> {
  const required = await db.identityProvider.count({ where: { centerId, required: true } });
  return required > 0 && (await isMarkedAdmin(db, actorId, centerId));
}

export async function mailEmergencyEntry(
  { ip }: Context,
  work: Work,
  { actor, centerId, provider }: { actor: Actor; centerId: number; provider: string | null },
): Promise<void> {
  const about = { centerId, actorId: actor.id, name: actor.name, provider, ip };
  for (const to of await adminAddresses(work.db, centerId)) {
    work.mail({ kind: 'emergency_entry', to, centerId, about });
  }
}
