import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { normalizeEmail } from '../identity/normalize.ts';
import { applyTransition } from './change-status.ts';
import type { MemberView } from './view.ts';

export const approveByEmailInput = z.object({
  email: z.email().max(254).transform(normalizeEmail),
  domain: z.string().min(1).max(256).optional(),
});

/** Approves the membership of the person with an address, for an operator with a shell but no session. */
export async function approveByEmail(
  ctx: Context,
  { email, domain }: z.infer<typeof approveByEmailInput>,
): Promise<MemberView> {
  const found = await ctx.app.db.acrossTenants.membership.findMany({
    where: {
      OR: [
        { status: 'PENDING', actor: { email } },
        { status: 'INVITED', OR: [{ invitedEmail: email }, { actor: { email } }] },
      ],
      ...(domain && { center: { centerDomain: domain } }),
    },
    include: { center: true },
    orderBy: { id: 'asc' },
  });
  const waiting = found.filter(({ status }) => status === 'PENDING');
  const [only, ...others] = waiting;
  if (!only) {
    const where = domain ? ` in ${domain}` : '';
    throw new DomainError(
      'NOT_FOUND',
      found.length > 0
        ? `${email} has not accepted the invitation yet. Approve after they have followed the link in the mail.`
        : `No membership of ${email}${where} waits for approval.`,
    );
  }
  if (others.length > 0) {
    const domains = waiting.map(({ center }) => center.centerDomain).join(', ');
    throw new DomainError(
      'CONFLICT',
      `${email} waits in several centers; pass --domain with one of: ${domains}`,
    );
  }
  return applyTransition(ctx, only.id, 'approve');
}
