import type { Tx } from '../../db/database.ts';
import type { Actor, Membership } from '../../db/generated/prisma/client.ts';
import type { ActorRole } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { applyRole, askForRole } from '../memberships/change-role.ts';
import { invalidateLinks } from '../memberships/invitation.ts';
import { activeAdmin } from '../memberships/seats.ts';
import type { Work } from '../unit-of-work.ts';
import type { SignInFacts } from './claims.ts';
import type { ProviderSettings } from './settings.ts';

/** Whether the groups of this sign-in set the role. Groups that were left out for size change none. */
const groupsDecide = ({ roleByGroup }: ProviderSettings, { groups }: SignInFacts) =>
  roleByGroup.length > 0 && groups !== null;

/**
 * The role after this sign-in: by the first matching entry of the table, else the default. Without a table a role is kept once
 * it is set. Null means that the person has no place in the center.
 */
function roleAfter(
  settings: ProviderSettings,
  facts: SignInFacts,
  before: ActorRole | null,
): ActorRole | null {
  const { roleByGroup, defaultRole } = settings;
  if (!groupsDecide(settings, facts)) return before ?? defaultRole;
  const groups = new Set(facts.groups);
  return roleByGroup.find(({ group }) => groups.has(group))?.role ?? defaultRole;
}

/** The same, for a person who cannot be admitted without a role. */
export function requireRole(
  settings: ProviderSettings,
  facts: SignInFacts,
  before: ActorRole | null,
): ActorRole {
  const role = roleAfter(settings, facts, before);
  if (role !== null) return role;
  throw new DomainError(
    'NO_MEMBERSHIP',
    settings.roleByGroup.length > 0
      ? 'None of the groups in the claim has a role, and there is no default role.'
      : 'There is no default role for new people.',
  );
}

/** A provider can neither take the last ADMIN from a center nor those who keep access without it. */
async function keepsRole(
  db: Tx,
  { id, centerId, status, role, emergencyAccess }: Membership,
): Promise<boolean> {
  if (status !== 'ACTIVE' || role !== 'ADMIN') return false;
  if (emergencyAccess) return true;
  return (await db.membership.count({ where: { ...activeAdmin, centerId, id: { not: id } } })) === 0;
}

/** The role that this sign-in leads to. */
export async function nextRole(
  db: Tx,
  { settings, facts }: { settings: ProviderSettings; facts: SignInFacts },
  membership: Membership,
): Promise<ActorRole> {
  const isKept = !groupsDecide(settings, facts) || (await keepsRole(db, membership));
  return isKept ? membership.role : requireRole(settings, facts, membership.role);
}

/** Gives a member the role of this sign-in. An account becomes CHILD only after its owner has confirmed that by mail. */
export async function syncRole(
  ctx: Context,
  work: Work,
  { settings, facts }: { settings: ProviderSettings; facts: SignInFacts },
  { membership, actor }: { membership: Membership; actor: Actor },
): Promise<Membership> {
  if (!groupsDecide(settings, facts) || (await keepsRole(work.db, membership))) return membership;
  const role = requireRole(settings, facts, membership.role);
  const isAsked = membership.pendingRole !== null;
  if (isAsked && membership.pendingRole === role) return membership;
  if (isAsked) {
    await invalidateLinks(work, membership.id);
    await work.db.membership.update({ where: { id: membership.id }, data: { pendingRole: null } });
  }
  if (role === membership.role) return membership;
  const person = { id: actor.id, email: actor.email ?? actor.contactEmail };
  if (role !== 'CHILD' || actor.homeCenterId !== null) {
    return applyRole(ctx, work, membership, role, { actor: person, provider: settings.name });
  }
  // Without an address there is no way to ask.
  if (actor.email === null) return membership;
  return askForRole(work, { ...membership, actor }, role, { actor: person, provider: settings.name });
}
