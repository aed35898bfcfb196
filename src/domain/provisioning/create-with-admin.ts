import type { Context } from '../context.ts';
import { normalizeEmail } from '../identity/normalize.ts';
import { inviteTo } from '../memberships/invitation.ts';
import { requireCenterPlan } from '../plans/plans.ts';
import type { Work } from '../unit-of-work.ts';
import { setUpCenter } from './set-up-center.ts';

type CenterDraft = Omit<Parameters<typeof setUpCenter>[1], 'plan'> & { planId: string; adminEmail: string };

/** Creates a center and invites its administrator by mail. */
export async function createWithAdmin(
  ctx: Context,
  work: Work,
  { planId, adminEmail, ...draft }: CenterDraft,
) {
  const plan = await requireCenterPlan(work.db, planId);
  const { center } = await setUpCenter(work, { ...draft, plan }, ctx.now);
  const email = normalizeEmail(adminEmail);
  const { id: membershipId, status } = await inviteTo(ctx, work, {
    centerId: center.id,
    invitee: { email, name: null },
    role: 'ADMIN',
  });
  return { center, admin: { email, membershipId, status } };
}
