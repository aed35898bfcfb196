import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { linkTo, makeLinkToken } from '../mail/link-token.ts';
import { transact } from '../unit-of-work.ts';
import { normalizeEmail } from './normalize.ts';

export const appointInput = z.object({
  email: z.email().max(254).transform(normalizeEmail),
  name: plainText(256).trim().min(1),
});

interface Appointed {
  actorId: string;
  email: string;
  /** The link to set a password, valid once and for an hour; null if the account already has one. */
  link: string | null;
}

/** Makes a person a platform administrator, on behalf of the operator. */
export async function appointPlatformAdmin(
  ctx: Context,
  { email, name }: z.infer<typeof appointInput>,
): Promise<Appointed> {
  return transact.acrossTenants(ctx, async (work) => {
    const known = await work.db.actor.findFirst({
      where: { email },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    if (known?.suspendedAt) {
      throw new DomainError(
        'CONFLICT',
        'This account is suspended; a platform admin must reactivate it first.',
      );
    }
    const data = { platformAdmin: true };
    const actor = known
      ? await work.db.actor.update({ where: { id: known.id }, data })
      : await work.db.actor.create({
          data: { ...data, email, name, baseRole: 'ADMIN', createdAt: ctx.now },
        });
    work.audit({
      type: 'membership.moved',
      target: actor.id,
      centerId: null,
      detail: { move: 'appoint_platform_admin', email },
    });
    const link = { purpose: 'PASSWORD', actorId: actor.id } as const;
    return {
      actorId: actor.id,
      email,
      link: actor.passwordHash
        ? null
        : linkTo(ctx.app.config.publicUrl, link, await makeLinkToken(work.db, link, ctx.now)),
    };
  });
}
