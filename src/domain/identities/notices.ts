// What is audited and mailed when identities and emergency access are used.

import type { Actor, Identity } from '../../db/generated/prisma/client.ts';
import { shownEmailOf } from '../identity/reach.ts';
import type { Work } from '../unit-of-work.ts';

interface IdentityChange {
  identity: Pick<Identity, 'id' | 'centerId' | 'issuer'>;
  actor: Actor;
  /** The name of the provider, as people see it. */
  provider: string;
  change: 'linked' | 'unlinked';
}

/** An identity opens an account, so its owner is told, and the platform's own chain has it too. */
export function announceIdentity(work: Work, { identity, actor, provider, change }: IdentityChange): void {
  const { id: target, centerId, issuer } = identity;
  const entry = {
    type: 'api_key.changed' as const,
    target,
    detail: { change, kind: 'identity', issuer, provider },
    actor: { id: actor.id, email: shownEmailOf(actor) },
  };
  work.audit({ ...entry, centerId });
  if (actor.homeCenterId !== null) return;
  work.audit({ ...entry, centerId: null });
  if (actor.email === null) return;
  const kind = change === 'linked' ? 'identity_linked' : 'identity_unlinked';
  work.mail({ kind, to: actor.email, about: { actorId: actor.id, centerId, provider, issuer } });
}
