import type { PartnerRole } from '../../db/generated/prisma/enums.ts';
import type { Context } from '../context.ts';
import type { ActorPrincipal } from '../principal.ts';
import { chooseLanding, type Landing } from './landing.ts';
import { surveyCenters } from './open-centers.ts';

/** Where the person would arrive after signing in now, staying in the session's center. */
export async function landingOf(
  ctx: Context,
  actor: ActorPrincipal,
  lastVisited: string | null,
): Promise<Landing> {
  const survey = await surveyCenters(ctx.app.db.acrossTenants, actor);
  const { landing } = chooseLanding({
    platformAdmin: actor.platformAdmin,
    partnerAccount: actor.partner !== null,
    email: actor.email,
    requested: actor.center.open ? actor.center.centerDomain : null,
    lastVisited,
    ...survey,
  });
  return landing;
}

export interface PartnerAccount {
  id: string;
  name: string;
  role: PartnerRole;
}

/** The partner that the person has an account for, if any. */
export async function partnerAccountOf(
  { app }: Context,
  { partner }: ActorPrincipal,
): Promise<PartnerAccount | null> {
  if (!partner) return null;
  const { name } = await app.db.acrossTenants.partner.findUniqueOrThrow({ where: { id: partner.id } });
  return { ...partner, name };
}
