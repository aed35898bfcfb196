import { z } from 'zod';
import { validationError } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import type { ActorPrincipal } from '../principal.ts';
import { transact } from '../unit-of-work.ts';
import { currentActor } from './me.ts';
import { isPhone, normalizePhone } from './normalize.ts';

export const updateProfileInput = z.object({
  name: plainText(256)
    .trim()
    .min(1)
    .nullish()
    .describe('The name that people see, 1 to 256 characters; null leaves it unchanged.'),
  phone: plainText(64)
    .trim()
    .nullish()
    .describe(
      'The phone number that centers see, at most 64 characters; null removes it. It is not used for signing in.',
    ),
});

/**
 * Changes the caller's profile as their centers see it. A phone number entered here is not verified: it is only displayed, and
 * neither allows sign-in nor connects the caller to others with the same number.
 */
export async function updateProfile(
  ctx: Context,
  { name, phone }: z.infer<typeof updateProfileInput>,
): Promise<ActorPrincipal> {
  const principal = currentActor(ctx);
  if (phone && !isPhone(phone))
    throw validationError([{ path: 'phone', message: 'must be a valid phone number' }]);
  const changed = await transact.acrossTenants(ctx, ({ db }) =>
    db.actor.update({
      where: { id: principal.actorId },
      data: {
        ...(name != null && { name }),
        ...(phone !== undefined && { contactPhone: phone ? normalizePhone(phone) : null }),
      },
    }),
  );
  return { ...principal, name: changed.name };
}

/** The phone number to display. */
export async function phoneOf({ app }: Context, actorId: string): Promise<string | null> {
  const actor = await app.db.acrossTenants.actor.findUniqueOrThrow({ where: { id: actorId } });
  return actor.contactPhone ?? actor.phone;
}
