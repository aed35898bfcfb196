// Admits the person of a provider's subject to the center: binds an existing person or creates one, takes a seat and sets the role.

import type { Actor, Identity, Membership } from '../../db/generated/prisma/client.ts';
import type { ActorRole } from '../../db/generated/prisma/enums.ts';
import { newId } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import { describePerson } from '../identity/describe-person.ts';
import { invalidateLinks } from '../memberships/invitation.ts';
import { takeSeat } from '../memberships/seats.ts';
import type { Work } from '../unit-of-work.ts';
import type { SignInFacts } from './claims.ts';
import { createActorOfCenter, createPersonOfCenter, type NewPerson } from './create-person.ts';
import { type MatchedBy, type MembershipOfPerson, matchPerson, verifiedAddress } from './match.ts';
import { announceIdentity } from './notices.ts';
import { nextRole, requireRole, syncRole } from './roles.ts';
import type { ProviderSettings } from './settings.ts';

/** A confirmed sign-in at the provider of a center. */
export interface ProviderSignIn {
  settings: ProviderSettings;
  facts: SignInFacts;
}

export interface Admitted {
  kind: 'admitted';
  action: 'SIGN_IN' | 'BIND' | 'ACCEPT' | 'CREATE';
  identity: Identity;
  actor: Actor;
  membership: Membership;
}

/** A person who must prove first that the profile is theirs. */
interface Unproven {
  kind: 'connect';
  membership: MembershipOfPerson;
  matchedBy: MatchedBy;
  /** The role that the person will have. */
  role: ActorRole;
}

export type Admission = Admitted | Unproven;

/** Call it under `lockCenter`. */
export async function admit(ctx: Context, work: Work, signIn: ProviderSignIn): Promise<Admission> {
  const { settings, facts } = signIn;
  const match = await matchPerson(work.db, settings, facts);
  switch (match.kind) {
    case 'known': {
      const { identity, membership } = match;
      return settle(ctx, work, signIn, { action: 'SIGN_IN', identity, actor: identity.actor, membership });
    }
    case 'connect':
      return { ...match, role: await nextRole(work.db, signIn, match.membership) };
    case 'bind': {
      const { actor, ...membership } = match.membership;
      const identity = await bindIdentity(ctx, work, signIn, actor);
      return settle(ctx, work, signIn, { action: 'BIND', identity, actor, membership });
    }
    case 'invited': {
      const { actor, identity, membership } = await accept(ctx, work, signIn, match);
      return settle(ctx, work, signIn, { action: 'ACCEPT', identity, actor, membership });
    }
    case 'new': {
      const role = requireRole(settings, facts, null);
      await takeSeat(work.db, settings.centerId);
      const { membershipId: id } = await createPersonOfCenter(
        work,
        { ...describe(settings, facts), role, now: ctx.now },
        { status: 'ACTIVE', suspendedByDirectory: false },
      );
      const created = await work.db.membership.findUniqueOrThrow({ where: { id }, include: { actor: true } });
      const { actor: person, ...membership } = created;
      const actor = person!;
      auditMove(work, signIn, { membership, actor, from: null, role });
      const identity = await bindIdentity(ctx, work, signIn, actor);
      return { kind: 'admitted', action: 'CREATE', identity, actor, membership };
    }
  }
}

const describe = ({ centerId }: ProviderSettings, { name, email }: SignInFacts) => ({
  centerId,
  name: name ?? email?.slice(0, email.lastIndexOf('@')) ?? 'Unnamed person',
  contactEmail: email,
});

/** Binds the subject to a person. Nothing else in the service creates an identity. */
export async function bindIdentity(
  ctx: Context,
  work: Work,
  { settings, facts }: ProviderSignIn,
  actor: Actor,
): Promise<Identity> {
  const identity = await work.db.identity.create({
    data: {
      id: newId('idn'),
      centerId: settings.centerId,
      issuer: facts.issuer,
      subject: facts.subject,
      actorId: actor.id,
      email: facts.email,
      emailVerified: (await verifiedAddress(work.db, settings.centerId, facts)) !== null,
      linkedAt: ctx.now,
    },
  });
  announceIdentity(work, { identity, actor, provider: settings.name, change: 'linked' });
  return identity;
}

/** A new person of the center takes the invitation, unless the identity has a person already. No account is looked up. */
async function accept(
  ctx: Context,
  work: Work,
  signIn: ProviderSignIn,
  match: { membership: Membership; identity: (Identity & { actor: Actor }) | null },
) {
  const { settings, facts } = signIn;
  const { membership: invited, identity: known } = match;
  const role = requireRole(settings, facts, invited.role);
  const actor =
    known?.actor ?? (await createActor(work, { ...describe(settings, facts), role, now: ctx.now }));
  const membership = await takeInvitation(ctx, work, invited, actor);
  return { actor, membership, identity: known ?? (await bindIdentity(ctx, work, signIn, actor)) };
}

async function createActor(work: Work, person: NewPerson): Promise<Actor> {
  const id = await createActorOfCenter(work, person);
  return work.db.actor.findUniqueOrThrow({ where: { id } });
}

/** The invitation becomes the person's, who still waits for a seat. Its links stop working. */
export async function takeInvitation(
  ctx: Context,
  work: Work,
  { id, role }: Membership,
  { id: actorId }: Actor,
): Promise<Membership> {
  await invalidateLinks(work, id);
  return work.db.membership.update({
    where: { id },
    data: { actorId, acceptedAt: ctx.now, ...(role === 'CHILD' && { childConsentAt: ctx.now }) },
  });
}

/** Gives the membership a seat and the role of this sign-in, and notes what the provider says of the person. */
export async function settle(
  ctx: Context,
  work: Work,
  signIn: ProviderSignIn,
  { action, identity, actor, membership }: Omit<Admitted, 'kind'>,
): Promise<Admitted> {
  // Before the seat: a person who is about to enter is not the last ADMIN yet.
  const placed = await syncRole(ctx, work, signIn, { membership, actor });
  const settled = await activate(ctx, work, signIn, { membership: placed, actor });
  const shown = await updatePerson(work, signIn, { membership: settled, actor });
  return { kind: 'admitted', action, identity, actor: shown, membership: settled };
}

/** A PENDING or INVITED membership becomes ACTIVE if a seat is left. */
export async function activate(
  ctx: Context,
  work: Work,
  signIn: ProviderSignIn,
  { membership, actor }: { membership: Membership; actor: Actor },
): Promise<Membership> {
  const { id, status: from, centerId } = membership;
  if (from === 'ACTIVE') return membership;
  const { settings, facts } = signIn;
  requireRole(settings, facts, membership.role);
  await takeSeat(work.db, centerId);
  auditMove(work, signIn, { membership, actor, from, role: membership.role });
  return work.db.membership.update({
    where: { id },
    data: { status: 'ACTIVE', activatedAt: ctx.now, acceptedAt: membership.acceptedAt ?? ctx.now },
  });
}

export function auditMove(
  work: Work,
  { settings }: ProviderSignIn,
  moved: {
    membership: Membership;
    actor: Actor;
    from: Membership['status'] | null;
    role: Membership['role'];
  },
): void {
  const { membership, actor, from, role } = moved;
  work.audit({
    type: 'membership.moved',
    target: membership.id,
    centerId: membership.centerId,
    detail: { from, to: 'ACTIVE', move: 'sign_in', role, provider: settings.name },
    actor: { id: actor.id, email: actor.homeCenterId === null ? actor.email : actor.contactEmail },
  });
}

/** The name and address of a person of the center follow the directory, else the provider. An account is never changed. */
async function updatePerson(
  work: Work,
  { settings, facts }: ProviderSignIn,
  { membership, actor }: { membership: Membership; actor: Actor },
): Promise<Actor> {
  if (actor.homeCenterId !== settings.centerId) return actor;
  const isDescribed = await work.db.scimUser.count({ where: { membershipId: membership.id, endedAt: null } });
  if (isDescribed > 0) return actor;
  const description = {
    name: facts.name ?? actor.name,
    contactEmail: facts.email ?? actor.contactEmail,
  };
  return describePerson(work, actor, membership, description, { provider: settings.name });
}
