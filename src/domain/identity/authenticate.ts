import { LRUCache } from 'lru-cache';
import type { Database, Db, Tx } from '../../db/database.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { Infrastructure } from '../context.ts';
import { featuresOffOfCenter, NOTHING_OFF } from '../features/features-off.ts';
import type { ActorPrincipal } from '../principal.ts';
import { centerAccess } from './center-access.ts';
import type { Finding, PrincipalCache } from './principal-cache.ts';
import { identityOf, shownEmailOf, visitorOf } from './reach.ts';
import { type TokenVerifier, verifyAccessToken } from './tokens.ts';

const MINUTE_MS = 60_000;

/** Records when a session was last used, to the minute. Runs in the background; a failure is only logged. */
export type NoteSessionUse = (sessionId: string, now: Date) => void;

export function makeNoteSessionUse(db: Database, log: Log): NoteSessionUse {
  const noted = new LRUCache<string, true>({ max: 20_000, ttl: MINUTE_MS });
  return (sessionId, now) => {
    if (noted.has(sessionId)) return;
    noted.set(sessionId, true);
    // Other processes record the same session. The condition limits this to one write per minute in total.
    db.declared('acrossTenants') // sessions belong to people, not to a center
      .query(
        `UPDATE session SET last_used_at = $2
         WHERE id = $1 AND last_used_at <= $2::timestamptz - interval '1 minute'`,
        [sessionId, now],
      )
      .catch((error: Error) =>
        log.warn({ reason: error.message, sessionId }, 'could not record the last use of a session'),
      );
  };
}

interface TokenAuthentication extends Pick<Infrastructure, 'config' | 'db'> {
  verifyToken: TokenVerifier;
  principals: PrincipalCache;
  noteSessionUse: NoteSessionUse;
}

/** The person behind an access token, according to the current state of the database. */
export async function authenticateToken(
  app: TokenAuthentication,
  token: string,
  now: Date,
): Promise<ActorPrincipal> {
  const principal = await app.principals.find(token, now, () => loadToken(app, token, now));
  app.noteSessionUse(principal.sessionId, now);
  return principal;
}

async function loadToken(
  app: TokenAuthentication,
  token: string,
  now: Date,
): Promise<Finding<ActorPrincipal>> {
  const claims = await verifyAccessToken(app.verifyToken, token, now);
  const person = await loadPrincipal(app.db.acrossTenants, claims, now);
  const { center } = person;
  const principal = center.open
    ? { ...person, featuresOff: await featuresOffOfCenter(app, center.centerId) }
    : person;
  return {
    principal,
    goodUntil: claims.exp * 1_000,
    restsOn: [
      `session:${principal.sessionId}`,
      ...principal.familyIds.map((id) => `actor:${id}` as const),
      `center:${claims.centerId}`,
    ],
  };
}

/** The person behind a live session, acting in the named center. */
export async function loadPrincipal(
  db: Db | Tx,
  { sessionId, actorId, centerId }: { sessionId: string; actorId: string; centerId: number | null },
  now: Date,
): Promise<ActorPrincipal> {
  const session = await db.session.findUnique({
    where: { id: sessionId },
    include: {
      identity: true,
      actor: { include: { partnerMemberships: { orderBy: { createdAt: 'asc' }, take: 1 } } },
    },
  });
  const isLive = session && !session.revokedAt && session.expiresAt > now && session.actorId === actorId;
  if (!isLive || session.actor.suspendedAt) {
    throw new DomainError('UNAUTHORIZED', 'The session has ended; sign in again.');
  }
  const { actor } = session;
  const identity = identityOf(session);
  const visitor = await visitorOf(db, actor, identity);
  const { onlyCenterId, familyIds, email } = visitor;
  const partner = onlyCenterId === null ? actor.partnerMemberships[0] : undefined;
  return {
    kind: 'actor',
    actorId: actor.id,
    sessionId: session.id,
    email: email ?? '',
    shownEmail: shownEmailOf(actor),
    homeCenterId: actor.homeCenterId,
    identity,
    onlyCenterId,
    name: actor.name,
    earlierName: actor.earlierName,
    earlierNameUntil: actor.earlierNameUntil,
    baseRole: actor.baseRole,
    familyIds,
    platformAdmin: actor.platformAdmin && onlyCenterId === null,
    partner: partner ? { id: partner.partnerId, role: partner.role } : null,
    center: await centerAccess(db, visitor, centerId === null ? null : { id: centerId }),
    featuresOff: NOTHING_OFF,
  };
}
