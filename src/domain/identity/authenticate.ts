import { DomainError } from '../../lib/errors.ts';
import type { App } from '../app.ts';
import type { ActorPrincipal } from '../principal.ts';
import { centerAccess } from './center-access.ts';
import { loadFamilyIds } from './load-family.ts';
import { verifyAccessToken } from './tokens.ts';

/** The person behind an access token, as the database knows them at this moment. */
export async function authenticateToken(app: App, token: string, now: Date): Promise<ActorPrincipal> {
  const claims = verifyAccessToken(token, app.config.jwtSecret, now);
  const session = await app.db.acrossTenants.session.findUnique({
    where: { id: claims.sessionId },
    include: { actor: { include: { partnerMemberships: { orderBy: { createdAt: 'asc' }, take: 1 } } } },
  });
  if (!session || session.revokedAt || session.expiresAt <= now || session.actorId !== claims.actorId) {
    throw new DomainError('UNAUTHORIZED', 'The session has ended; sign in again.');
  }
  const { actor } = session;
  const familyIds = await loadFamilyIds(app.db.acrossTenants, actor.id);
  const partner = actor.partnerMemberships[0];
  return {
    kind: 'actor',
    actorId: actor.id,
    sessionId: session.id,
    email: actor.email ?? '',
    name: actor.name,
    familyIds,
    platformAdmin: actor.platformAdmin,
    partner: partner ? { id: partner.partnerId, role: partner.role } : null,
    center: await centerAccess(app.db.acrossTenants, familyIds, claims.centerId),
  };
}
