import { z } from 'zod';
import type { Actor } from '../../db/generated/prisma/client.ts';
import { DomainError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import { transact } from '../unit-of-work.ts';
import { countAttempt } from './attempts.ts';
import { centerAccess, requireOpen } from './center-access.ts';
import { type Arrival, arrive } from './landing.ts';
import { loadFamilyIds } from './load-family.ts';
import { normaliseEmail, normalisePhone } from './normalise.ts';
import { type Survey, surveyCenters } from './open-centers.ts';
import { findMatch, MAX_TRIES } from './password.ts';
import { grantTokens, refreshExpiry, type SignedIn } from './sessions.ts';

export const signInInput = z
  .object({
    email: z.string().trim().max(320).check(z.email()).nullish(),
    phone: z.string().trim().min(1).max(64).nullish(),
    password: z.string().min(1).max(1_024),
    centerDomain: z.string().trim().toLowerCase().min(1).max(253).nullish(),
  })
  .refine(({ email, phone }) => email || phone, {
    path: ['email'],
    message: 'email or phone is required',
    params: { code: 'MISSING_REQUIRED_FIELD' },
  });

export type SignInInput = z.infer<typeof signInInput>;

/** Checks who somebody is and opens a session for them, where they were last if that is still open. */
export async function signIn(
  ctx: Context,
  input: SignInInput,
  lastVisited: string | null,
): Promise<SignedIn> {
  const contact = input.email
    ? { email: normaliseEmail(input.email) }
    : { phone: normalisePhone(input.phone!) };
  await countAttempt(ctx, contact.email ?? contact.phone);
  const actor = await findActor(ctx, contact, input.password);
  if (!actor) throw new DomainError('INVALID_CREDENTIALS', 'The email, phone or password is wrong.');

  const db = ctx.app.db.acrossTenants;
  const visitor = { actorId: actor.id, familyIds: await loadFamilyIds(db, actor.id) };
  if (input.centerDomain) {
    requireOpen(await centerAccess(db, visitor, { centerDomain: input.centerDomain }));
  }
  const survey = await surveyCenters(db, visitor);
  const partner = await db.partnerMembership.findFirst({ where: { actorId: actor.id } });
  const arrival = arrive({
    platformAdmin: actor.platformAdmin,
    partnerAccount: partner !== null,
    email: actor.email,
    requested: input.centerDomain ?? null,
    lastVisited,
    ...survey,
  });
  return openSession(ctx, actor, survey, arrival, partner?.partnerId ?? null);
}

/** Several people may share an address: the oldest whose password fits is the one. */
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

function openSession(
  ctx: Context,
  actor: Actor,
  { open }: Survey,
  { landing, centerDomain }: Arrival,
  partnerId: string | null,
): Promise<SignedIn> {
  const center = open.find((each) => each.centerDomain === centerDomain) ?? null;
  return transact(
    ctx,
    async (work) => {
      const session = await work.db.session.create({
        data: {
          id: newId('ses'),
          actorId: actor.id,
          centerId: center?.id ?? null,
          ip: ctx.ip,
          userAgent: ctx.userAgent?.slice(0, 512) ?? null,
          createdAt: ctx.now,
          lastUsedAt: ctx.now,
          expiresAt: refreshExpiry(ctx.now),
        },
      });
      work.audit({
        type: 'auth.signed_in',
        target: session.id,
        detail: { landing: landing.kind },
        centerId: center?.id ?? null,
        partnerId: center ? null : partnerId,
        actor: { id: actor.id, email: actor.email },
      });
      const grant = { sessionId: session.id, actor, open, center };
      return { ...(await grantTokens(ctx, work.db, grant)), landing };
    },
    { acrossTenants: true },
  );
}
