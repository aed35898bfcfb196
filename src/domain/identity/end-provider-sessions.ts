import type { Context } from '../context.ts';
import type { Work } from '../unit-of-work.ts';
import { shownEmailOf } from './reach.ts';
import type { RevocationReason } from './sessions.ts';

/** Which sessions of a center's provider end. */
export type EndedProviderSessions =
  | { centerId: number }
  | { centerId: number; actorId: string }
  | { centerId: number; identityId: string }
  | { centerId: number; sid: string };

/** Ends live sessions that were opened through the provider of a center. Returns how many. */
export async function endProviderSessions(
  { now, principal }: Context,
  work: Work,
  where: EndedProviderSessions,
  reason: RevocationReason,
): Promise<number> {
  const ended = await work.db.session.updateManyAndReturn({
    where: {
      revokedAt: null,
      expiresAt: { gt: now },
      identity: { centerId: where.centerId },
      ...('actorId' in where && { actorId: where.actorId }),
      ...('identityId' in where && { identityId: where.identityId }),
      ...('sid' in where && { providerSid: where.sid }),
    },
    data: { revokedAt: now, revokedReason: reason },
    select: { id: true, actor: true },
  });
  for (const { id, actor } of ended) {
    const email = shownEmailOf(actor);
    // Without a caller the provider ended them, and the entry names the person.
    const byCaller = principal.kind !== 'anonymous' && callerIsOther(principal, actor.id);
    work.audit({
      type: 'auth.session_revoked',
      target: id,
      detail: { reason, ...(byCaller && { person: email ?? actor.id }) },
      centerId: where.centerId,
      ...(!byCaller && { actor: { id: actor.id, email } }),
    });
  }
  return ended.length;
}

const callerIsOther = (principal: Exclude<Context['principal'], { kind: 'anonymous' }>, actorId: string) =>
  principal.kind !== 'actor' || principal.actorId !== actorId;
