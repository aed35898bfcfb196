import { z } from 'zod';
import { MembershipStatus } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import { releaseBookings } from '../centers/release.ts';
import type { Context } from '../context.ts';
import { transact } from '../unit-of-work.ts';
import { authorityOver, noSuchMembership } from './authority.ts';
import { isNewcomer } from './newcomer.ts';
import { keepAnAdmin, lockCenter, takeSeat } from './seats.ts';
import { allowed, type MembershipMove, mayMake, moveFor, needsSeat, TRANSITIONS } from './transitions.ts';
import { type MemberView, memberInclude, memberView } from './view.ts';

export const membershipRef = z.object({ membershipId: plainText(256) });
export const moveMembershipInput = membershipRef.extend({ to: z.enum(MembershipStatus) });

/** Makes one named move. */
export function makeMove(ctx: Context, membershipId: string, move: MembershipMove): Promise<MemberView> {
  return change(ctx, membershipId, (from) => (allowed(from, move) ? move : null), TRANSITIONS[move].to);
}

/** Makes whichever move leads to that status. */
export function moveMembership(
  ctx: Context,
  { membershipId, to }: z.infer<typeof moveMembershipInput>,
): Promise<MemberView> {
  return change(ctx, membershipId, (from) => moveFor(from, to), to);
}

async function change(
  ctx: Context,
  id: string,
  choose: (from: MembershipStatus) => MembershipMove | null,
  to: MembershipStatus,
): Promise<MemberView> {
  return transact(
    ctx,
    async (work) => {
      const known = await work.db.membership.findUnique({ where: { id }, include: memberInclude });
      if (!known) throw noSuchMembership();
      const authority = authorityOver(ctx, known);
      await lockCenter(work.db, known.centerId);
      const {
        status: from,
        role,
        centerId,
        actorId,
      } = await work.db.membership.findUniqueOrThrow({ where: { id } });
      const move = choose(from);
      if (!move) throw new DomainError('CONFLICT', `A membership cannot go from ${from} to ${to}.`);
      // Whoever cannot sign in yet cannot accept either: the center carries them through.
      const onBehalf = move === 'accept' && authority.isCenterAdmin;
      const may = mayMake(move, authority) || (onBehalf && (await isNewcomer(work.db, actorId, centerId)));
      if (!may) {
        throw new DomainError('INSUFFICIENT_ROLE', `You may not ${move} this membership.`);
      }
      if (needsSeat(move)) await takeSeat(work.db, centerId);
      if (from === 'ACTIVE' && role === 'ADMIN') await keepAnAdmin(work.db, centerId, id);
      if (to === 'ENDED') {
        const people = [{ instructorId: actorId }, { bookedForId: actorId }];
        await releaseBookings(work.db, { centerId, OR: people }, ctx.now);
      }
      work.audit({ type: 'membership.moved', target: id, centerId, detail: { from, to, move } });
      const moved = await work.db.membership.update({
        where: { id },
        data: {
          status: to,
          ...(move === 'approve' && { activatedAt: ctx.now }),
          ...(to === 'ENDED' && { endedAt: ctx.now }),
        },
        include: memberInclude,
      });
      return memberView(moved);
    },
    { acrossTenants: true }, // invited people have no center yet; partners and platform admins look after several
  );
}
