// What a platform admin does to an account: end its sessions, suspend it, and make it a platform admin.
import { z } from 'zod';
import type { Tx } from '../../db/database.ts';
import type { Actor } from '../../db/generated/prisma/client.ts';
import { DomainError, requireFound } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { requireFreshProof } from '../identity/fresh-proof.ts';
import { currentActor } from '../identity/me.ts';
import { endSessionsOf } from '../identity/sessions.ts';
import { beginPolicyChange } from '../ledger/sealer/policy-order.ts';
import { endDelegationsOf } from '../memberships/delegations.ts';
import { lockCenter } from '../memberships/seats.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { onlyAdminOf, type PlatformPerson, readPerson } from './people.ts';

export const personRef = z.object({ id: z.guid().describe('The id of the person, a UUID.') });
export const suspendPersonInput = personRef.extend({
  reason: plainText(500)
    .trim()
    .min(1)
    .describe('Why, 1 to 500 characters; kept in the audit log of the installation only.'),
  leaveWithoutAdmin: z
    .boolean()
    .default(false)
    .describe(
      'Whether to suspend the only ADMIN who can act in a center; otherwise that is a CONFLICT. A platform admin or the partner of the center can then approve another ADMIN. Default: false.',
    ),
});

type Act = (work: Work, person: Actor) => Promise<void>;

/** Serialized, so that two platform admins cannot remove each other: the caller still is one, and so one remains. */
async function actOn(ctx: Context, id: string, act: Act): Promise<PlatformPerson> {
  await requireFreshProof(ctx);
  const { actorId } = currentActor(ctx);
  const personId = id.toLowerCase();
  if (personId === actorId) {
    throw new DomainError('FORBIDDEN', 'You cannot do this to your own account; ask another platform admin.');
  }
  await transact.acrossTenants(ctx, async (work) => {
    await work.db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('platform admins', 0))`;
    const caller = await work.db.actor.findUniqueOrThrow({ where: { id: actorId } });
    if (!caller.platformAdmin || caller.suspendedAt) {
      throw new DomainError('INSUFFICIENT_ROLE', 'This operation requires a platform admin.');
    }
    const person = await work.db.actor.findUnique({ where: { id: personId } });
    await act(work, requireFound(person, 'Account not found.'));
  });
  return readPerson(ctx, personId);
}

/** Ends all sessions of a person in every process. The person can sign in again. */
export function endPersonSessions(ctx: Context, { id }: z.infer<typeof personRef>): Promise<PlatformPerson> {
  return actOn(ctx, id, async (work, person) => {
    const sessions = await endSessionsOf(ctx, work, person, 'ended by a platform admin', { byOther: true });
    const detail = { reason: 'ended by a platform admin', person: nameOf(person), sessions };
    work.audit({ type: 'auth.session_revoked', target: person.id, centerId: null, detail });
  });
}

/** Suspends an account: its sessions and delegations end, and it cannot sign in. Its memberships stay as they are. */
export function suspendPerson(
  ctx: Context,
  { id, reason, leaveWithoutAdmin }: z.output<typeof suspendPersonInput>,
): Promise<PlatformPerson> {
  return actOn(ctx, id, async (work, person) => {
    if (person.suspendedAt) throw new DomainError('CONFLICT', 'The account is already suspended.');
    await endOwnDelegations(ctx, work, person.id);
    await requireOtherAdmins(work.db, person.id, leaveWithoutAdmin);
    await work.db.actor.update({ where: { id: person.id }, data: { suspendedAt: ctx.now } });
    const sessions = await endSessionsOf(ctx, work, person, 'account suspended', { byOther: true });
    await auditMove(work, person, 'suspend_account', { reason, sessions });
  });
}

/** Lets a suspended account sign in again. */
export function reactivatePerson(ctx: Context, { id }: z.infer<typeof personRef>): Promise<PlatformPerson> {
  return actOn(ctx, id, async (work, person) => {
    if (!person.suspendedAt) throw new DomainError('CONFLICT', 'The account is not suspended.');
    await work.db.actor.update({ where: { id: person.id }, data: { suspendedAt: null } });
    await auditMove(work, person, 'reactivate_account');
  });
}

/** Lets a person administer the whole installation. */
export function grantPlatformAdmin(ctx: Context, { id }: z.infer<typeof personRef>): Promise<PlatformPerson> {
  return actOn(ctx, id, async (work, person) => {
    if (person.suspendedAt)
      throw new DomainError('CONFLICT', 'The account is suspended; reactivate it first.');
    if (person.platformAdmin) throw new DomainError('CONFLICT', 'The person is a platform admin already.');
    await setPlatformAdmin(work, person, true);
  });
}

export function revokePlatformAdmin(
  ctx: Context,
  { id }: z.infer<typeof personRef>,
): Promise<PlatformPerson> {
  return actOn(ctx, id, async (work, person) => {
    if (!person.platformAdmin) throw new DomainError('CONFLICT', 'The person is not a platform admin.');
    await setPlatformAdmin(work, person, false);
  });
}

async function setPlatformAdmin(work: Work, person: Actor, platformAdmin: boolean): Promise<void> {
  await work.db.actor.update({ where: { id: person.id }, data: { platformAdmin } });
  const move = platformAdmin ? 'appoint_platform_admin' : 'dismiss_platform_admin';
  const detail = { move, email: nameOf(person) };
  work.audit({ type: 'membership.moved', target: person.id, centerId: null, detail });
}

const nameOf = ({ email, phone, name }: Actor): string => email ?? phone ?? name;

/** In the log of the installation, and without the reason in every center that knows the person. */
async function auditMove(work: Work, person: Actor, move: string, more: object = {}): Promise<void> {
  const type = 'membership.moved' as const;
  const detail = { move, email: nameOf(person), ...more };
  work.audit({ type, target: person.id, centerId: null, detail });
  const memberships = await work.db.membership.findMany({
    where: {
      actorId: person.id,
      status: { in: ['PENDING', 'ACTIVE', 'SUSPENDED'] },
      center: { status: { not: 'INACTIVE' } },
    },
    select: { id: true, centerId: true },
    orderBy: { centerId: 'asc' },
  });
  for (const { id, centerId } of memberships) work.audit({ type, target: id, centerId, detail: { move } });
}

/** Delegates would otherwise go on in the name of the suspended person. */
async function endOwnDelegations(ctx: Context, work: Work, actorId: string): Promise<void> {
  const open = { endedAt: null, endsAt: { gt: ctx.now } };
  const memberships = await work.db.membership.findMany({
    where: { actorId, OR: [{ delegationsGiven: { some: open } }, { delegationsReceived: { some: open } }] },
    select: { id: true, centerId: true },
    orderBy: { centerId: 'asc' },
  });
  for (const membership of memberships) {
    const at = await beginPolicyChange(work.db, membership.centerId, ctx.now);
    work.notBefore(at);
    await endDelegationsOf(ctx, work, membership, at);
  }
}

async function requireOtherAdmins(tx: Tx, actorId: string, leaveWithoutAdmin: boolean): Promise<void> {
  const administered = await tx.membership.findMany({
    where: { actorId, role: 'ADMIN', status: 'ACTIVE' },
    select: { centerId: true },
    orderBy: { centerId: 'asc' },
  });
  for (const { centerId } of administered) await lockCenter(tx, centerId);
  if (leaveWithoutAdmin) return;
  const left = await tx.membership.findMany({
    where: onlyAdminOf(actorId),
    select: { center: { select: { id: true, name: true } } },
    orderBy: { centerId: 'asc' },
  });
  if (left.length === 0) return;
  const names = left.map(({ center }) => center.name).join(', ');
  throw new DomainError(
    'CONFLICT',
    `The person is the only active ADMIN of ${names}. Approve another one first, or set leaveWithoutAdmin.`,
    { details: { centers: left.map(({ center }) => center.id) } },
  );
}
