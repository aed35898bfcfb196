import { z } from 'zod';
import { ActorRole } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { plainText } from '../../lib/text.ts';
import { type Context, currentCenterId } from '../context.ts';
import { isEmail, normaliseEmail } from '../identity/normalise.ts';
import { transact } from '../unit-of-work.ts';
import { findOrCreatePerson } from './person.ts';
import { lockCenter } from './seats.ts';
import { type MemberView, memberInclude, memberView } from './view.ts';

export const inviteMemberInput = z.object({
  email: plainText(254),
  name: plainText(256).trim().min(1).nullish(),
  role: z.enum(ActorRole),
  specialties: z.array(plainText(64).trim().min(1)).max(20).nullish(),
});

export type InviteMemberInput = z.infer<typeof inviteMemberInput>;

/** Invites a person into the caller's center. Whoever is not known yet becomes known by this. */
export async function inviteMember(ctx: Context, input: InviteMemberInput): Promise<MemberView> {
  if (!isEmail(input.email)) throw new DomainError('INVALID_EMAIL', 'email: is no valid address');
  const centerId = currentCenterId(ctx);
  const email = normaliseEmail(input.email);
  return transact(
    ctx,
    async (work) => {
      // Two invitations of the same person at once: the second one finds the first.
      await lockCenter(work.db, centerId);
      const open = await work.db.membership.findFirst({
        where: { centerId, actor: { email }, status: { notIn: ['ENDED', 'REJECTED'] } },
      });
      if (open) throw new DomainError('CONFLICT', 'This person is a member or invited already.');
      const invitee = await findOrCreatePerson(work.db, input, ctx.now);
      const membership = await work.db.membership.create({
        data: {
          id: newId('mbr'),
          centerId,
          actorId: invitee.id,
          role: input.role,
          status: 'INVITED',
          specialties: [...new Set(input.specialties ?? [])],
          invitedAt: ctx.now,
        },
        include: memberInclude,
      });
      work.audit({
        type: 'membership.moved',
        target: membership.id,
        detail: { from: null, to: 'INVITED', move: 'invite', role: input.role },
      });
      return memberView(membership);
    },
    { acrossTenants: true }, // people do not belong to one center
  );
}
