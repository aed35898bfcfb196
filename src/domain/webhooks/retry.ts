import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { transact } from '../unit-of-work.ts';
import { PRIORITY, queueNow } from './queue.ts';

/** Who still wants the event: a webhook that is switched off or gone receives nothing more. */
const reachable = { webhook: { active: true, deletedAt: null } };

/**
 * Sends an event again, at once: to every webhook that it has not reached, or, when it has reached them all, to all of
 * them. Attempts go on counting and the schedule begins anew. A delivery that is due anyway is left alone, so that
 * pressing twice sends once.
 */
export async function retryEvent(ctx: Context, eventId: string) {
  return transact(ctx, async (work) => {
    const event = await work.db.platformEvent.findUnique({ where: { id: eventId } });
    if (!event) throw new DomainError('NOT_FOUND', 'There is no such event.');
    const all = await work.db.delivery.findMany({ where: { eventId, ...reachable } });
    const unreached = all.filter(({ status }) => status !== 'success');
    const chosen = unreached.length > 0 ? unreached : all;
    await queueNow(work.db, chosen, PRIORITY.first);
    return { eventId, webhookIds: chosen.map(({ webhookId }) => webhookId) };
  });
}
