import { z } from 'zod';
import { validationError } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import type { ActorPrincipal } from '../principal.ts';
import { transact } from '../unit-of-work.ts';
import { announceProfile } from './announce-profile.ts';
import { currentActor } from './me.ts';
import { isPhone, normalizePhone } from './normalize.ts';
import { requireOwnSessionOfAccount } from './reach.ts';
import { type ChangingName, renamed } from './sealed-name.ts';

export const updateProfileInput = z.object({
  name: plainText(256)
    .trim()
    .min(1)
    .nullish()
    .describe(
      'The name that people see, 1 to 256 characters; null leaves it unchanged. Approvals carry a new name an hour after the change.',
    ),
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
  requireOwnSessionOfAccount(ctx);
  const principal = currentActor(ctx);
  if (phone && !isPhone(phone))
    throw validationError([{ path: 'phone', message: 'must be a valid phone number' }]);
  // Each change is a mail to every ADMIN of the person's centers.
  await ctx.app.limiter.countProfileChange(principal.actorId, ctx.now);
  return transact.acrossTenants(ctx, async (work) => {
    const where = { id: principal.actorId };
    await work.db.$queryRaw`SELECT FROM actor WHERE id = ${principal.actorId}::uuid FOR UPDATE`;
    const before = await work.db.actor.findUniqueOrThrow({ where });
    const isRenamed = name != null && name !== before.name;
    const contactPhone = phone === undefined ? before.contactPhone : phone && normalizePhone(phone);
    const phoneChanged = (contactPhone || null) !== before.contactPhone;
    if (!isRenamed && !phoneChanged) return { ...principal, ...namesOf(before) };
    const after = await work.db.actor.update({
      where,
      // Not the time of the request, whose body may have taken minutes to arrive.
      data: { contactPhone: contactPhone || null, ...(isRenamed && renamed(before, name, new Date())) },
    });
    await announceProfile(work, principal, {
      name: after.name,
      nameBefore: isRenamed ? before.name : null,
      sealedFrom: isRenamed ? after.earlierNameUntil : null,
      phoneChanged,
    });
    return { ...principal, ...namesOf(after) };
  });
}

const namesOf = ({ name, earlierName, earlierNameUntil }: ChangingName): ChangingName => ({
  name,
  earlierName,
  earlierNameUntil,
});

/** The phone number to display. */
export async function phoneOf({ app }: Context, actorId: string): Promise<string | null> {
  const actor = await app.db.acrossTenants.actor.findUniqueOrThrow({ where: { id: actorId } });
  return actor.contactPhone ?? actor.phone;
}
