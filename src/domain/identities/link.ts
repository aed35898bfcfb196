// Linking: the owner of an account lets an identity of a center's provider open it. It begins in the owner's own session with a
// fresh proof, and ends in the same session and browser at the callback.

import { z } from 'zod';
import type { Tx } from '../../db/database.ts';
import type {
  Actor,
  Identity,
  IdentityProvider,
  Membership,
  Session,
} from '../../db/generated/prisma/client.ts';
import { sql } from '../../db/sql.ts';
import { DomainError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { endProviderSessions } from '../identity/end-provider-sessions.ts';
import { requireFreshProof } from '../identity/fresh-proof.ts';
import { currentActor } from '../identity/me.ts';
import { requireOwnSession } from '../identity/reach.ts';
import { takeSeat } from '../memberships/seats.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { activate, auditMove, bindIdentity, type ProviderSignIn, takeInvitation } from './admit.ts';
import type { ProviderClaims } from './claims.ts';
import { lockProvider, readSignIn } from './complete-sign-in.ts';
import { invitationFor, membershipEnded, verifiedAddress } from './match.ts';
import { announceIdentity } from './notices.ts';
import { requireRole, syncRole } from './roles.ts';
import { issueTicket } from './tickets.ts';

export const linkIdentityInput = z.object({
  centerDomain: plainText(253)
    .trim()
    .toLowerCase()
    .min(1)
    .describe('The domain slug of the center whose identity provider to sign in at.'),
});

/** The address at which the caller's browser signs in at the provider of a center to connect that identity. */
export async function linkIdentity(
  ctx: Context,
  { centerDomain }: z.infer<typeof linkIdentityInput>,
): Promise<{ url: string }> {
  requireOwnSession(ctx);
  if (currentActor(ctx).homeCenterId !== null) {
    throw new DomainError(
      'FORBIDDEN',
      'Only an account can connect identities; this profile exists in its center only.',
    );
  }
  await requireFreshProof(ctx);
  return transact.acrossTenants(ctx, async (work) => {
    const center = await work.db.center.findUnique({
      where: { centerDomain, identityProvider: { isNot: null } },
    });
    if (!center || center.status === 'INACTIVE') {
      throw new DomainError(
        'CENTER_NOT_FOUND',
        'There is no center with this domain and an identity provider.',
      );
    }
    if (center.status === 'SUSPENDED') throw new DomainError('CENTER_SUSPENDED', 'This center is suspended.');
    return { url: await issueTicket(ctx, work, { purpose: 'LINK', centerId: center.id }) };
  });
}

/** Gives the identity to the account of the session that began the link, and makes it a member if it is not one. */
export async function linkIdentityOfSession(
  ctx: Context,
  provider: IdentityProvider,
  claims: ProviderClaims,
  sessionId: string,
): Promise<void> {
  await transact.acrossTenants(ctx, async (work) => {
    const signIn = readSignIn(await lockProvider(work.db, provider), claims);
    const { actor, identityId } = await liveSession(work.db, sessionId, ctx.now);
    if (identityId !== null || actor.homeCenterId !== null) {
      throw new DomainError('FORBIDDEN', 'Only an account in its own session can connect identities.');
    }
    const { centerId } = signIn.settings;
    const { issuer, subject } = signIn.facts;
    const known = await work.db.identity.findUnique({
      where: { centerId_issuer_subject: { centerId, issuer, subject } },
      include: { actor: true },
    });
    if (known && known.actorId !== actor.id) await takeOver(ctx, work, signIn, known, actor);
    if (!known) await bindIdentity(ctx, work, signIn, actor);
    await join(ctx, work, signIn, actor);
  });
}

/** The live session, locked so that a sign-out at the same moment comes before or after. */
export async function liveSession(
  db: Tx,
  sessionId: string,
  now: Date,
): Promise<Session & { actor: Actor; identity: Identity | null }> {
  await db.$queryRaw`SELECT id FROM session WHERE id = ${sessionId} FOR SHARE`;
  const session = await db.session.findUnique({
    where: { id: sessionId, revokedAt: null, expiresAt: { gt: now }, actor: { suspendedAt: null } },
    include: { actor: true, identity: true },
  });
  if (session) return session;
  throw new DomainError('UNAUTHORIZED', 'The session that began this has ended; sign in again.');
}

/**
 * An identity leaves a person of the center only after an ADMIN has ended that person: otherwise one human would be two members,
 * or would approve one decision twice.
 */
async function takeOver(
  ctx: Context,
  work: Work,
  { settings, facts }: ProviderSignIn,
  known: Identity & { actor: Actor },
  actor: Actor,
): Promise<void> {
  const { id, centerId, actorId } = known;
  if (known.actor.homeCenterId === null) {
    throw new DomainError('CONFLICT', 'This identity is connected to another account.');
  }
  const open = await work.db.membership.count({
    where: { centerId, actorId, status: { in: ['PENDING', 'ACTIVE', 'SUSPENDED'] } },
  });
  if (open > 0) {
    throw new DomainError(
      'CONFLICT',
      'This identity belongs to another member; an ADMIN ends that membership first.',
    );
  }
  const [approved] = await OPEN_DECISION_APPROVED.rows(work.db, { centerId, actorId });
  if (approved) {
    throw new DomainError('CONFLICT', 'The owner of this identity approved a decision that is still open.');
  }
  await endProviderSessions(ctx, work, { centerId, identityId: id }, 'identity unlinked');
  const identity = await work.db.identity.update({
    where: { id },
    data: {
      actorId: actor.id,
      email: facts.email,
      emailVerified: (await verifiedAddress(work.db, centerId, facts)) !== null,
      linkedAt: ctx.now,
      lastSignInAt: null,
    },
  });
  announceIdentity(work, { identity, actor, provider: settings.name, change: 'linked' });
}

const OPEN_DECISION_APPROVED = sql('open_decision_approved', { id: 'text' })`
  SELECT e.id FROM decision_event e JOIN approval a ON a.event_id = e.id
  WHERE e.center_id = $centerId AND e.status IN ('recorded', 'approved') AND a.center_id = $centerId
    AND a.content #>> '{by,id}' = $actorId LIMIT 1`;

/** An account without a membership takes the invitation to it, or becomes a member as a new person would. */
async function join(ctx: Context, work: Work, signIn: ProviderSignIn, actor: Actor): Promise<void> {
  const { settings, facts } = signIn;
  const { centerId, createOnSignIn } = settings;
  const memberships = await work.db.membership.findMany({ where: { centerId, actorId: actor.id } });
  const isOpen = ({ status }: Membership) => !['INVITED', 'REJECTED', 'ENDED'].includes(status);
  if (memberships.some(isOpen)) return;
  const address = await verifiedAddress(work.db, centerId, facts);
  const invited = await invitationFor(work.db, { centerId, address, person: actor });
  if (invited) {
    const taken = await takeInvitation(ctx, work, invited, actor);
    const placed = await syncRole(ctx, work, signIn, { membership: taken, actor });
    await activate(ctx, work, signIn, { membership: placed, actor });
    return;
  }
  if (memberships.some(({ status }) => status === 'ENDED')) throw membershipEnded();
  if (memberships.length > 0 || !createOnSignIn) throw notAdmitted();
  const role = requireRole(settings, facts, null);
  // Being a CHILD needs an invitation or the owner's consent.
  if (role === 'CHILD') throw notAdmitted();
  await takeSeat(work.db, centerId);
  const membership = await work.db.membership.create({
    data: {
      id: newId('mbr'),
      centerId,
      actorId: actor.id,
      role,
      status: 'ACTIVE',
      invitedAt: ctx.now,
      acceptedAt: ctx.now,
      activatedAt: ctx.now,
    },
  });
  auditMove(work, signIn, { membership, actor, from: null, role });
}

const notAdmitted = () =>
  new DomainError('NO_MEMBERSHIP', 'The center does not admit this account without an invitation.');
