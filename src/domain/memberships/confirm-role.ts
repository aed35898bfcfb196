import { sha256Hex } from '../../lib/crypto.ts';
import type { Context } from '../context.ts';
import { countAttempt } from '../identity/attempts.ts';
import { linkExpired } from '../mail/link-token.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { leaveActive } from './leave.ts';
import { lockCenter, requireRemainingAdmin } from './seats.ts';
import { type MemberRow, type MemberView, memberInclude, memberView } from './view.ts';

/** What the person may see of a role change before confirming it. */
export interface RoleChangeOffer {
  centerName: string;
  centerDomain: string;
  role: MemberView['role'];
  pendingRole: MemberView['role'];
  expiresAt: Date;
}

/** Shows a role change by its mailed link, without consuming it. */
export async function readRoleChange(ctx: Context, token: string): Promise<RoleChangeOffer> {
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
  return transact(
    ctx,
    async (work) => {
      await lockCenter(work.db, known.centerId);
      // Of concurrent attempts exactly one deletes it.
      const { count } = await work.db.linkToken.deleteMany({ where: { tokenHash: sha256Hex(token) } });
      const membership = await work.db.membership.findUniqueOrThrow({
        where: { id: known.id },
        include: memberInclude,
      });
      const { pendingRole, actorId, actor } = membership;
      if (count === 0 || pendingRole === null || !canChange(membership)) throw linkExpired();
      const person = { id: actorId, email: actor?.email ?? null };
      return memberView(await applyRole(ctx, work, membership, pendingRole, person));
    },
    { acrossTenants: true }, // the person need not be signed in
  );
}

/** Only members of the center have a role to change. */
export const canChange = ({ status }: Pick<MemberRow, 'status'>) =>
  status === 'PENDING' || status === 'ACTIVE' || status === 'SUSPENDED';

/** Changes a member's role immediately. Confirming is also the consent to being a CHILD, which ends with that role. */
export async function applyRole(
  ctx: Context,
  work: Work,
  membership: MemberRow,
  role: MemberRow['role'],
  actor?: { id: string | null; email: string | null },
): Promise<MemberRow> {
  const { id, status, role: before, centerId } = membership;
  if (status === 'ACTIVE' && before === 'ADMIN') await requireRemainingAdmin(work.db, centerId, id);
  const consequences = await leaveActive(ctx, work, membership, { status, role });
  work.audit({
    type: 'membership.moved',
    target: id,
    centerId,
    detail: { from: status, to: status, move: 'change_role', roleBefore: before, role, ...consequences },
    ...(actor && { actor }),
  });
  return work.db.membership.update({
    where: { id },
    data: { role, pendingRole: null, childConsentAt: role === 'CHILD' ? ctx.now : null },
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
