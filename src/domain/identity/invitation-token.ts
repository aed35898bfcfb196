import type { MembershipStatus } from '../../db/generated/prisma/enums.ts';
import { randomToken, sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { authorityOver, noSuchMembership } from '../memberships/authority.ts';
import { mayVouchFor } from '../memberships/newcomer.ts';
import { memberInclude } from '../memberships/view.ts';
import { transact } from '../unit-of-work.ts';

const TOKEN_HOURS = 72;

/** A membership that has come to nothing, or is suspended, gives nobody an account. */
const LEADS_IN: readonly MembershipStatus[] = ['INVITED', 'PENDING', 'ACTIVE'];
export const leadsIn = (status: MembershipStatus) => LEADS_IN.includes(status);

/**
 * A token with which somebody who was invited sets their first password; the center hands it over by its own means.
 * Nobody gets one for a person who has an account, or who belongs elsewhere too: that would be a way into other
 * people's accounts and centers. A new token for a membership takes the place of the one before.
 */
export async function createInvitationToken(ctx: Context, membershipId: string) {
  const token = randomToken();
  const expiresAt = new Date(ctx.now.getTime() + TOKEN_HOURS * 3_600_000);
  await transact(
    ctx,
    async ({ db, audit }) => {
      const membership = await db.membership.findUnique({
        where: { id: membershipId },
        include: memberInclude,
      });
      if (!membership) throw noSuchMembership();
      if (!authorityOver(ctx, membership).isCenterAdmin) {
        throw new DomainError('INSUFFICIENT_ROLE', 'Only an ADMIN of the center may do this.');
      }
      const { actorId, centerId, status } = membership;
      if (!leadsIn(status)) throw new DomainError('CONFLICT', `The membership is ${status}.`);
      const byPlatform = ctx.principal.kind === 'actor' && ctx.principal.platformAdmin;
      if (!(await mayVouchFor(db, actorId, { centerId, byPlatform }))) {
        const message =
          'This person has an account already, or belongs elsewhere too; they sign in by themselves.';
        throw new DomainError('CONFLICT', message);
      }
      await db.passwordToken.deleteMany({ where: { membershipId } });
      const facts = { actorId, membershipId, byPlatform, createdAt: ctx.now, expiresAt };
      await db.passwordToken.create({ data: { tokenHash: sha256Hex(token), ...facts } });
      const detail = { from: status, to: status, move: 'create_invitation_token' };
      audit({ type: 'membership.moved', target: membershipId, centerId, detail });
    },
    { acrossTenants: true }, // partners and platform admins look after several centers
  );
  return { token, expiresAt };
}
