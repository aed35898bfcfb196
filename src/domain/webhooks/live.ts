import type { Message } from '../../db/bus.ts';
import type { Infrastructure } from '../context.ts';
import type { DeliveryKey } from './load.ts';

/** Where the attempts of a center's webhooks are announced. */
export const deliveriesTopic = (centerId: number) => `deliveries:${centerId}`;

interface Announced extends DeliveryKey {
  centerId: number;
}

/** So many ids fit into one notification with room to spare. */
const IDS_A_MESSAGE = 100;

/** Tells live views, a message for each webhook. They may miss one when the database is away; the list never does. */
export function announceAttempts({ bus }: Infrastructure, attempts: Announced[]): void {
  for (const [webhookId, made] of Map.groupBy(attempts, (attempt) => attempt.webhookId)) {
    for (let at = 0; at < made.length; at += IDS_A_MESSAGE) {
      const eventIds = made.slice(at, at + IDS_A_MESSAGE).map(({ eventId }) => eventId);
      bus.hint(deliveriesTopic(made[0]!.centerId), { id: webhookId, eventIds: eventIds.join(' ') });
    }
  }
}

/** The deliveries that a message is about. */
export function announcedKeys({ id, eventIds }: Message) {
  return { webhookId: id, eventId: { in: String(eventIds).split(' ') } };
}
