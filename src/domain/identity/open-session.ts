import { z } from 'zod';
import type { Actor, Identity, IdentityProvider } from '../../db/generated/prisma/client.ts';
import { DomainError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { centerAccess, requireOpen } from './center-access.ts';
import { isEmergencyEntry, isMarkedAdmin, mailEmergencyEntry } from './emergency.ts';
import { type Arrival, chooseLanding } from './landing.ts';
import { type Survey, surveyCenters } from './open-centers.ts';
import { shownEmailOf, visitorOf } from './reach.ts';
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
  const visitor = await visitorOf(db, actor, null);
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

/** How the provider of a center authenticated a person. */
interface ProviderSignIn {
  identity: Pick<Identity, 'id' | 'centerId' | 'issuer' | 'subject'>;
  provider: Pick<IdentityProvider, 'name' | 'clientId' | 'sessionHours'>;
  /** The provider's own session, if it named one. */
  sid: string | null;
  /** When the person last authenticated there, as far as that is known. Proof only for a person of the center. */
  provenAt: Date | null;
  /** Further detail of the audit entry. */
  detail?: Record<string, unknown>;
}

/** Opens a session that acts in the provider's center only, within the transaction that found the person. */
export async function openProviderSession(
  ctx: Context,
  work: Work,
  actor: Actor,
  { identity, provider, sid, provenAt, detail = {} }: ProviderSignIn,
): Promise<SignedIn> {
  await requireNotSuspended(work.db, actor.id);
  const survey = await surveyCenters(work.db, await visitorOf(work.db, actor, identity));
  const center = survey.open[0];
  if (!center) throw new DomainError('NO_MEMBERSHIP', 'You have no active membership in this center.');
  const { landing } = chooseLanding({
    platformAdmin: false,
    partnerAccount: false,
    email: null,
    requested: center.centerDomain,
    lastVisited: null,
    ...survey,
  });
  const emergency = await isMarkedAdmin(work.db, actor.id, center.id);
  if (emergency) await mailEmergencyEntry(ctx, work, { actor, centerId: center.id, provider: provider.name });
  const session = await work.db.session.create({
    data: {
      ...sessionData(ctx, actor.id, center.id),
      identityId: identity.id,
      clientId: provider.clientId,
      providerSid: sid,
      provenAt: actor.homeCenterId === null ? null : provenAt,
      expiresAt: new Date(ctx.now.getTime() + provider.sessionHours * 3_600_000),
    },
  });
  work.audit({
    type: 'auth.signed_in',
    target: session.id,
    detail: {
      landing: landing.kind,
      provider: provider.name,
      ...(emergency && { emergency }),
      ...detail,
    },
    centerId: center.id,
    actor: { id: actor.id, email: shownEmailOf(actor) },
  });
  const grant = { sessionId: session.id, sessionEnds: session.expiresAt, actor, open: survey.open, center };
  return { ...(await grantTokens(ctx, work.db, grant)), landing };
}

const sessionData = (ctx: Context, actorId: string, centerId: number | null) => ({
  id: newId('ses'),
  actorId,
  centerId,
  ip: ctx.ip,
  userAgent: ctx.userAgent?.slice(0, 512) ?? null,
  createdAt: ctx.now,
  lastUsedAt: ctx.now,
});

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
    const emergency = center !== null && (await isEmergencyEntry(work.db, actor.id, center.id));
    if (emergency) await mailEmergencyEntry(ctx, work, { actor, centerId: center.id, provider: null });
    const session = await work.db.session.create({
      data: {
        ...sessionData(ctx, actor.id, center?.id ?? null),
        provenAt: ctx.now,
        expiresAt: refreshExpiry(ctx.now),
      },
    });
    work.audit({
      type: 'auth.signed_in',
      target: session.id,
      detail: {
        landing: landing.kind,
        ...(passkeyId !== undefined && { passkey: passkeyId }),
        ...(emergency && { emergency }),
      },
      centerId: center?.id ?? null,
      partnerId: center ? null : partnerId,
      actor: { id: actor.id, email: shownEmailOf(actor) },
    });
    const grant = { sessionId: session.id, sessionEnds: session.expiresAt, actor, open, center };
    return { ...(await grantTokens(ctx, work.db, grant)), landing };
  });
}
