import { z } from 'zod';
import { validationError } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import type { ActorPrincipal } from '../principal.ts';
import { transact } from '../unit-of-work.ts';
import { currentActor } from './me.ts';
import { isPhone, normalisePhone } from './normalise.ts';

export const updateProfileInput = z.object({
  name: plainText(256).trim().min(1).nullish(),
  phone: plainText(64).trim().nullish(),
});

/**
 * Changes what the caller's centers see of them. A phone number that somebody merely typed proves nothing: it is shown
 * and no more, it neither signs anybody in nor ties them to whoever else has it.
 */
export async function updateProfile(
  ctx: Context,
  { name, phone }: z.infer<typeof updateProfileInput>,
): Promise<ActorPrincipal> {
  const principal = currentActor(ctx);
  if (phone && !isPhone(phone))
    throw validationError([{ path: 'phone', message: 'must be a valid phone number' }]);
  const changed = await transact(
    ctx,
    ({ db }) =>
      db.actor.update({
        where: { id: principal.actorId },
        data: {
          ...(name != null && { name }),
          ...(phone !== undefined && { contactPhone: phone ? normalisePhone(phone) : null }),
        },
      }),
    { acrossTenants: true }, // people do not belong to one center
  );
  return { ...principal, name: changed.name };
}

/** The phone number to show. */
export async function phoneOf({ app }: Context, actorId: string): Promise<string | null> {
  const actor = await app.db.acrossTenants.actor.findUniqueOrThrow({ where: { id: actorId } });
  return actor.contactPhone ?? actor.phone;
}
