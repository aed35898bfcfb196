import type { App } from '../app.ts';
import type { Actor } from '../db/generated/prisma/client.ts';
import type { PartnerRole } from '../db/generated/prisma/enums.ts';
import { type Context, makeContext } from '../domain/context.ts';
import { NOTHING_OFF } from '../domain/features/features-off.ts';
import { centerAccess } from '../domain/identity/center-access.ts';
import type { ActorPrincipal, CenterAccess } from '../domain/principal.ts';

function principalFor(
  actor: Actor,
  center: CenterAccess,
  partner: ActorPrincipal['partner'],
): ActorPrincipal {
  return {
    kind: 'actor',
    actorId: actor.id,
    sessionId: 'seed',
    email: actor.email ?? '',
    shownEmail: actor.email,
    homeCenterId: null,
    identity: null,
    onlyCenterId: null,
    name: actor.name,
    earlierName: actor.earlierName,
    earlierNameUntil: actor.earlierNameUntil,
    baseRole: actor.baseRole,
    familyIds: [actor.id],
    platformAdmin: actor.platformAdmin,
    partner,
    center,
    featuresOff: NOTHING_OFF,
  };
}

/** A context in which the actor acts in a center, as if signed in; null if the actor has no access. */
export async function memberContext(app: App, actor: Actor, centerId: number): Promise<Context | null> {
  const access = await centerAccess(
    app.db.acrossTenants,
    { actorId: actor.id, familyIds: [actor.id], onlyCenterId: null, identity: null },
    { id: centerId },
  );
  return access.open ? makeContext({ app, principal: principalFor(actor, access, null) }) : null;
}

/** A context in which the actor acts for its partner. */
export function partnerContext(app: App, actor: Actor, partner: { id: string; role: PartnerRole }): Context {
  const nowhere: CenterAccess = {
    open: false,
    code: 'NO_MEMBERSHIP',
    message: 'There is no current center.',
  };
  return makeContext({ app, principal: principalFor(actor, nowhere, partner) });
}
