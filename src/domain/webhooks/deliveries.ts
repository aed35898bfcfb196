import type { Message } from '../../db/bus.ts';
import { type OwnedRows, pageKeys } from '../../db/owned-pages.ts';
import { DomainError } from '../../lib/errors.ts';
import type { CursorWindow } from '../../lib/paging.ts';
import { type Context, type Infrastructure, ownRows } from '../context.ts';
import { type EventRange, recentEventsFirst } from '../events/recent-events.ts';
import { transact } from '../unit-of-work.ts';
import type { DeliveryKey } from './load.ts';
import { keepOldEvents, PRIORITY, queueNow } from './queue.ts';

interface DeliveryFilter {
  /** The result of the last attempt. */
  status?: 'success' | 'failed' | null | undefined;
  eventType?: string | null | undefined;
}

/** Attempted deliveries, newest first. */
const TRIED: OwnedRows = {
  table: 'delivery',
  owner: 'webhook_id',
  key: 'event_id',
  order: 'DESC',
  where: `r.attempts > 0 AND ($2::text IS NULL OR (r.status = 'success') = ($2 = 'success'))
    AND ($4::text IS NULL OR r.event_id >= $4) AND ($5::text IS NULL OR r.event_id < $5)
    AND ($3::text IS NULL OR EXISTS (SELECT FROM platform_event e WHERE e.id = r.event_id AND e.type = $3))`,
};

/** The events on one page of each webhook's deliveries. */
export function deliveredEvents(
  ctx: Context,
  webhookIds: readonly string[],
  window: CursorWindow,
  { status = null, eventType = null }: DeliveryFilter,
): Promise<Map<string, string[]>> {
  const page = (range: EventRange | null) =>
    pageKeys<string>(ownRows(ctx), TRIED, webhookIds, window, [
      status,
      eventType,
      range?.gte ?? null,
      range?.lt ?? null,
    ]);
  if (window.inverted) return page(null);
  return recentEventsFirst(ctx.app.db, window.after, page, (pages) =>
    webhookIds.every((id) => (pages.get(id)?.length ?? 0) >= window.limit),
  );
}

/** The webhooks that still receive the event. Inactive and deleted webhooks receive nothing. */
const reachable = { webhook: { active: true, deletedAt: null } };

/**
 * Resends an event immediately: to every webhook that has not received it, or to all of them if all have. The attempt count
 * continues and the retry schedule restarts. A delivery that is already due is left unchanged, so a double click sends once.
 */
export async function retryEvent(ctx: Context, eventId: string) {
  return transact(ctx, async (work) => {
    await keepOldEvents(work.db);
    const event = await work.db.platformEvent.findUnique({ where: { id: eventId } });
    if (!event) throw new DomainError('NOT_FOUND', 'Event not found.');
    const all = await work.db.delivery.findMany({ where: { eventId, ...reachable } });
    const unreached = all.filter(({ status }) => status !== 'success');
    const chosen = unreached.length > 0 ? unreached : all;
    await queueNow(work.db, chosen, PRIORITY.first);
    return { eventId, webhookIds: chosen.map(({ webhookId }) => webhookId) };
  });
}

/** The topic for attempts of a center's webhooks. */
export const deliveriesTopic = (centerId: number) => `deliveries:${centerId}`;

interface Announced extends DeliveryKey {
  centerId: number;
}

/** This many ids fit well within one notification. */
const IDS_A_MESSAGE = 100;

/**
 * Notifies live views, with one message per webhook. A view may miss messages during a database outage, but the list stays
 * complete.
 */
export function announceAttempts({ bus }: Infrastructure, attempts: Announced[]): void {
  for (const [webhookId, made] of Map.groupBy(attempts, (attempt) => attempt.webhookId)) {
    for (let at = 0; at < made.length; at += IDS_A_MESSAGE) {
      const eventIds = made.slice(at, at + IDS_A_MESSAGE).map(({ eventId }) => eventId);
      bus.hint(deliveriesTopic(made[0]!.centerId), { id: webhookId, eventIds: eventIds.join(' ') });
    }
  }
}

/** The deliveries that a message refers to. */
export function announcedKeys({ id, eventIds }: Message) {
  return { webhookId: id, eventId: { in: String(eventIds).split(' ') } };
}
