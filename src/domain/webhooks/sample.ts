import { DomainError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type Context, currentCenterId } from '../context.ts';
import { type EventType, eventCatalog } from '../events/catalog.ts';
import { eventsTopic } from '../events/outbox.ts';
import { transact } from '../unit-of-work.ts';
import { requireWebhook } from './manage.ts';
import { PRIORITY, queueNow } from './queue.ts';

/**
 * Sends an event type's example to one webhook, signed and retried like a real event. Without a webhook, only subscribers to
 * the center's events receive it. The data contains `sample: true`, and no other webhook receives it.
 */
export async function sendSample(ctx: Context, webhookId: string | null, type: EventType) {
  const eventId = newId('msg');
  const centerId = currentCenterId(ctx);
  return transact(ctx, async (work) => {
    if (webhookId !== null) {
      const { active } = await requireWebhook(work.db, webhookId);
      if (!active) throw new DomainError('CONFLICT', 'The webhook is inactive; activate it first.');
    }
    await work.db.platformEvent.create({
      data: {
        id: eventId,
        centerId,
        type,
        data: { ...eventCatalog[type].example, sample: true },
        createdAt: ctx.now,
      },
    });
    if (webhookId === null) {
      work.publish(eventsTopic(centerId), { id: eventId, type });
      return { eventId };
    }
    await work.db.delivery.create({ data: { centerId, webhookId, eventId, createdAt: ctx.now } });
    await queueNow(work.db, [{ webhookId, eventId }], PRIORITY.first);
    work.audit({
      type: 'webhook.changed',
      target: webhookId,
      detail: { change: 'sample sent', event: type },
    });
    return { eventId };
  });
}
