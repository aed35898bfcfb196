import { z } from 'zod';
import type { Membership } from '../../db/generated/prisma/client.ts';
import { ActorRole } from '../../db/generated/prisma/enums.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { countAttempt } from '../identity/attempts.ts';
import { shownEmailOf } from '../identity/reach.ts';
import { linkExpired } from '../mail/link-token.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { authorityOver, membershipNotFound } from './authority.ts';
import { endDependents, membershipRef } from './change-status.ts';
import { invalidateLinks } from './invitation.ts';
import { lockCenter, requireNoAdmin, requireRemainingAdmin } from './seats.ts';
import { type MemberRow, type MemberView, memberInclude, memberView } from './view.ts';

export const changeMemberRoleInput = membershipRef.extend({
  role: z.enum(ActorRole).describe('What the person may do from now on.'),
});

/**
 * Changes a member's role in the center. An open invitation keeps the role that was offered. Being a CHILD shows a guardian
 * the person's memberships everywhere, so that change waits until the person has confirmed it by mail.
 */
export async function changeMemberRole(
  ctx: Context,
  { membershipId: id, role }: z.infer<typeof changeMemberRoleInput>,
): Promise<MemberView> {
  return transact.acrossTenants(ctx, async (work) => {
    const known = await work.db.membership.findUnique({ where: { id }, include: memberInclude });
    if (!known) throw membershipNotFound();
    const { isCenterAdmin, isPartner } = authorityOver(ctx, known);
    if (!isCenterAdmin)
      throw new DomainError('INSUFFICIENT_ROLE', 'Only an ADMIN of the center may do this.');
    await lockCenter(work.db, known.centerId);
    if (isPartner) await requireNoAdmin(work.db, known.centerId);
    const membership = await work.db.membership.findUniqueOrThrow({
      where: { id },
      include: memberInclude,
    });
    if (!canChange(membership)) {
      throw new DomainError(
        'CONFLICT',
        `The role of a membership with the status ${membership.status} cannot be changed.`,
      );
    }
    // Replaces any earlier request.
    if (membership.pendingRole !== null) await invalidateLinks(work, id);
    if (role === membership.role) return memberView(await askFor(work, id, null));
    if (role !== 'CHILD') return memberView(await applyRole(ctx, work, membership, role));
    return memberView(await askPerson(ctx, work, membership, role));
  });
}

async function askPerson(
  ctx: Context,
  work: Work,
  membership: MemberRow,
  role: ActorRole,
): Promise<MemberRow> {
  const { status, role: before } = membership;
  if (status === 'ACTIVE' && before === 'ADMIN') await requireRemainingAdmin(work.db, membership);
  const { actor } = membership;
  // A person of the center has no account to protect, and no address that is theirs.
  if (actor && actor.homeCenterId !== null) return applyRole(ctx, work, membership, role);
  await askForRole(work, membership, role, {
    byActorId: ctx.principal.kind === 'actor' ? ctx.principal.actorId : null,
  });
  return work.db.membership.findUniqueOrThrow({ where: { id: membership.id }, include: memberInclude });
}

/** Mails the person a link to confirm another role. Until then the change is pending. */
export async function askForRole(
  work: Work,
  membership: Membership & { actor: { email: string | null } | null },
  role: ActorRole,
  { byActorId = null, provider, actor: person }: RoleChanger & { byActorId?: string | null },
): Promise<Membership> {
  const { id, status, role: before, centerId, actor } = membership;
  if (!actor?.email) {
    throw new DomainError('CONFLICT', 'The person has no email address at which to confirm the change.');
  }
  const about = { membershipId: id, byActorId, ...(provider !== undefined && { provider }) };
  work.mail({ kind: 'role_change', to: actor.email, centerId, about });
  work.audit({
    type: 'membership.moved',
    target: id,
    centerId,
    detail: {
      from: status,
      to: status,
      move: 'ask_role',
      roleBefore: before,
      role,
      ...(provider !== undefined && { provider }),
    },
    ...(person && { actor: person }),
  });
  return askFor(work, id, role);
}

/** Who changes a role, if not the caller. */
interface RoleChanger {
  /** The person, for the audit entry of a change without a caller. */
  actor?: { id: string | null; email: string | null };
  /** The identity provider whose groups set the role. */
  provider?: string;
}

const askFor = ({ db }: Work, id: string, pendingRole: ActorRole | null): Promise<MemberRow> =>
  db.membership.update({ where: { id }, data: { pendingRole }, include: memberInclude });

/** What the person may see of a role change before confirming it. */
export type RoleChangeOffer = Awaited<ReturnType<typeof readRoleChange>>;

/** Shows a role change by its mailed link, without consuming it. */
export async function readRoleChange(ctx: Context, token: string) {
  const { membership, expiresAt } = await findLink(ctx, token);
  const { center, role, pendingRole } = membership;
  return {
    centerName: center.name,
    centerDomain: center.centerDomain,
    role,
    pendingRole: pendingRole!,
    expiresAt,
  };
}

/** The person confirms the role change that their center requested. The link works once. */
export async function confirmRoleChange(ctx: Context, token: string): Promise<MemberView> {
  const { membership: known } = await findLink(ctx, token);
  return transact.acrossTenants(ctx, async (work) => {
    await lockCenter(work.db, known.centerId);
    // Of concurrent attempts exactly one deletes it.
    const { count } = await work.db.linkToken.deleteMany({ where: { tokenHash: sha256Hex(token) } });
    const membership = await work.db.membership.findUniqueOrThrow({
      where: { id: known.id },
      include: memberInclude,
    });
    const { pendingRole, actorId, actor } = membership;
    if (count === 0 || pendingRole === null || !canChange(membership)) throw linkExpired();
    const person = { id: actorId, email: actor && shownEmailOf(actor) };
    return memberView(await applyRole(ctx, work, membership, pendingRole, { actor: person }));
  });
}

/** Only members of the center have a role to change. */
const canChange = ({ status }: Pick<MemberRow, 'status'>) =>
  status === 'PENDING' || status === 'ACTIVE' || status === 'SUSPENDED';

/**
 * Changes a member's role immediately. Confirming is also the consent to being a CHILD, which ends with that role. Only an
 * ADMIN has emergency access.
 */
export async function applyRole(
  ctx: Context,
  work: Work,
  membership: Membership,
  role: ActorRole,
  { actor, provider }: RoleChanger = {},
): Promise<MemberRow> {
  const { id, status, role: before, centerId } = membership;
  if (status === 'ACTIVE' && before === 'ADMIN') await requireRemainingAdmin(work.db, membership);
  const consequences = await endDependents(ctx, work, membership, { status, role });
  work.audit({
    type: 'membership.moved',
    target: id,
    centerId,
    detail: {
      from: status,
      to: status,
      move: 'change_role',
      roleBefore: before,
      role,
      ...(provider !== undefined && { provider }),
      ...consequences,
    },
    ...(actor && { actor }),
  });
  return work.db.membership.update({
    where: { id },
    data: {
      role,
      pendingRole: null,
      childConsentAt: role === 'CHILD' ? ctx.now : null,
      ...(role !== 'ADMIN' && { emergencyAccess: false }),
    },
    include: memberInclude,
  });
}

async function findLink(ctx: Context, token: string) {
  const tokenHash = sha256Hex(token);
  await countAttempt(ctx, `role ${tokenHash.slice(0, 16)}`);
  const link = await ctx.app.db.acrossTenants.linkToken.findFirst({
    where: { tokenHash, purpose: 'ROLE', expiresAt: { gt: ctx.now } },
    include: { membership: { include: memberInclude } },
  });
  const membership = link?.membership;
  if (!membership?.pendingRole || !canChange(membership)) throw linkExpired();
  return { membership, expiresAt: link!.expiresAt };
}
