import { z } from 'zod';
import type { Actor } from '../../db/generated/prisma/client.ts';
import { newId } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import { transact } from '../unit-of-work.ts';
import { centerAccess, requireOpen } from './center-access.ts';
import { loadFamilyIds } from './family.ts';
import { type Arrival, chooseLanding } from './landing.ts';
import { type Survey, surveyCenters } from './open-centers.ts';
import { grantTokens, refreshExpiry, type SignedIn } from './sessions.ts';
import { requireNotSuspended } from './suspended.ts';

/** The center to enter directly, if one is named. */
export const centerDomainField = z.string().trim().toLowerCase().min(1).max(253).nullish();

interface SignInOptions {
  /** The requested center. */
  centerDomain?: string | null | undefined;
  /** The person's last center. */
  lastVisited: string | null;
  /** The passkey that authenticated the person, if no password did. */
  passkeyId?: string;
}

/** Opens a session for an authenticated person, in their current center. */
export async function signInActor(
  ctx: Context,
  actor: Actor,
  { centerDomain, lastVisited, passkeyId }: SignInOptions,
): Promise<SignedIn> {
  const db = ctx.app.db.acrossTenants;
  const { id: actorId, email } = actor;
  const visitor = { actorId, email, familyIds: await loadFamilyIds(db, actorId) };
  if (centerDomain) requireOpen(await centerAccess(db, visitor, { centerDomain }));
  const survey = await surveyCenters(db, visitor);
  const partner = await db.partnerMembership.findFirst({ where: { actorId: actor.id } });
  const arrival = chooseLanding({
    platformAdmin: actor.platformAdmin,
    partnerAccount: partner !== null,
    email: actor.email,
    requested: centerDomain ?? null,
    lastVisited,
    ...survey,
  });
  return openSession(ctx, actor, survey, arrival, { partnerId: partner?.partnerId ?? null, passkeyId });
}

function openSession(
  ctx: Context,
  actor: Actor,
  { open }: Survey,
  { landing, centerDomain }: Arrival,
  { partnerId, passkeyId }: { partnerId: string | null; passkeyId: string | undefined },
): Promise<SignedIn> {
  const center = open.find((each) => each.centerDomain === centerDomain) ?? null;
  return transact.acrossTenants(ctx, async (work) => {
    await requireNotSuspended(work.db, actor.id);
    const session = await work.db.session.create({
      data: {
        id: newId('ses'),
        actorId: actor.id,
        centerId: center?.id ?? null,
        ip: ctx.ip,
        userAgent: ctx.userAgent?.slice(0, 512) ?? null,
        createdAt: ctx.now,
        lastUsedAt: ctx.now,
        provenAt: ctx.now,
        expiresAt: refreshExpiry(ctx.now),
      },
    });
    work.audit({
      type: 'auth.signed_in',
      target: session.id,
      detail: { landing: landing.kind, ...(passkeyId !== undefined && { passkey: passkeyId }) },
      centerId: center?.id ?? null,
      partnerId: center ? null : partnerId,
      actor: { id: actor.id, email: actor.email },
    });
    const grant = { sessionId: session.id, actor, open, center };
    return { ...(await grantTokens(ctx, work.db, grant)), landing };
  });
}
