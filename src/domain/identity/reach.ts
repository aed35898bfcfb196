// How far a person's sign-in reaches. A center chooses its identity provider and its directory, so both may lie: what they vouch
// for acts in that center only. This file is the one place that decides it; everything else reads `onlyCenterId` and `familyIds`.

import type { Db, Tx } from '../../db/database.ts';
import type { Actor, Identity, Session } from '../../db/generated/prisma/client.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import type { ProviderIdentity } from '../principal.ts';
import type { Visitor } from './center-access.ts';
import { loadFamilyIds } from './family.ts';
import { currentActor } from './me.ts';

type Person = Pick<Actor, 'id' | 'email' | 'homeCenterId'>;

/** The person with the accounts whose memberships count, limited to one center if the sign-in reaches no further. */
export async function visitorOf(
  db: Db | Tx,
  { id: actorId, email, homeCenterId }: Person,
  identity: ProviderIdentity | null,
): Promise<Visitor & { familyIds: string[] }> {
  const onlyCenterId = identity?.centerId ?? homeCenterId;
  return {
    actorId,
    // Invitations to the address of an account reach it only in a session from its password or passkey.
    email: onlyCenterId === null ? email : null,
    familyIds: onlyCenterId === null ? await loadFamilyIds(db, actorId) : [actorId],
    onlyCenterId,
    identity,
  };
}

/** The identity that opened a session, if a provider did. */
export function identityOf(session: Session & { identity: Identity | null }): ProviderIdentity | null {
  if (session.identity === null) return null;
  const { id, centerId, issuer, subject } = session.identity;
  return { id, centerId, issuer, subject };
}

/** The address to display: for a person of a center the claimed one, which identifies no one. */
export const shownEmailOf = ({
  email,
  contactEmail,
  homeCenterId,
}: Pick<Actor, 'email' | 'contactEmail' | 'homeCenterId'>) => (homeCenterId === null ? email : contactEmail);

/** Throws for a session from a provider, which must not change anything that reaches beyond its center. */
export function requireOwnSession(ctx: Context): void {
  if (currentActor(ctx).identity !== null) throw forbidden();
}

/** Throws for a caller who is limited to one center, also after signing in with a passkey. */
export function requireNoCenterLimit(ctx: Context): void {
  if (currentActor(ctx).onlyCenterId !== null) throw forbidden();
}

/**
 * Throws where a provider must not act for an account: it did not create it. A person of its own center may do so in its
 * sessions.
 */
export function requireOwnSessionOfAccount(ctx: Context): void {
  const { identity, homeCenterId } = currentActor(ctx);
  if (identity !== null && homeCenterId === null) throw forbidden();
}

const forbidden = () =>
  new DomainError(
    'FORBIDDEN',
    "A session from a company's identity provider cannot do this; sign in with your password or passkey.",
  );
