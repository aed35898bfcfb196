import { z } from 'zod';
import type { Actor } from '../../db/generated/prisma/client.ts';
import { doc } from '../../lib/doc.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { countAttempt, throttleAttempts } from './attempts.ts';
import { normalizeEmail, normalizePhone } from './normalize.ts';
import { centerDomainField, signInActor } from './open-session.ts';
import { findMatch, MAX_TRIES } from './password.ts';
import type { SignedIn } from './sessions.ts';

export const signInInput = z
  .object({
    email: z
      .string()
      .trim()
      .max(320)
      .check(z.email())
      .nullish()
      .meta(doc('The email address of the account. Give either this or `phone`.', 'admin@demo.test')),
    phone: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .nullish()
      .meta(doc('The phone number of the account. Give either this or `email`.', null)),
    password: z
      .string()
      .min(1)
      .max(1_024)
      .meta(doc('The password of the account, at most 1,024 characters.', 'demo-Passw0rd!')),
    centerDomain: centerDomainField.meta(
      doc('The domain slug of the center to enter directly. Default: the last visited one.', 'demo-rehab'),
    ),
  })
  .refine(({ email, phone }) => email || phone, {
    path: ['email'],
    message: 'email or phone is required',
    params: { code: 'MISSING_REQUIRED_FIELD' },
  });

export type SignInInput = z.infer<typeof signInInput>;

/** Authenticates a person and opens a session, in their last center if it is still open. */
export async function signIn(
  ctx: Context,
  input: SignInInput,
  lastVisited: string | null,
): Promise<SignedIn> {
  const contact = input.email
    ? { email: normalizeEmail(input.email) }
    : { phone: normalizePhone(input.phone!) };
  const name = contact.email ?? contact.phone;
  await countAttempt(ctx, name);
  const actor = await throttleAttempts(ctx, name, contact, () => findActor(ctx, contact, input.password));
  if (!actor) throw new DomainError('INVALID_CREDENTIALS', 'The email, phone or password is wrong.');
  return signInActor(ctx, actor, { centerDomain: input.centerDomain, lastVisited });
}

/** Several people may share an address. The oldest whose password matches is used. */
async function findActor(
  { app }: Context,
  contact: { email: string } | { phone: string },
  password: string,
): Promise<Actor | undefined> {
  const actors = await app.db.acrossTenants.actor.findMany({
    where: { ...contact, passwordHash: { not: null } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: MAX_TRIES,
  });
  const hashes = actors.map((actor) => actor.passwordHash!);
  return actors[await findMatch(hashes, password)];
}
