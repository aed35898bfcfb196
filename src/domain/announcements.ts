// What subscriptions hear of: the ids of rows that are new or have changed, on a topic of their center. Only a hint for
// those who look on live: whoever misses it finds the rows in the list.
import type { Bus, Message } from '../db/bus.ts';

/** New decision events of a center, and those whose status has changed. */
export const decisionsTopic = (centerId: number) => `decisions:${centerId}`;

/** New audit entries of a center. */
export const auditTopic = (centerId: number) => `audit:${centerId}`;

/** So many ids fit into one notification with room to spare. */
const IDS_A_MESSAGE = 100;

const messageOf = (ids: readonly string[]): Message => ({ id: ids[0]!, ids: ids.join(',') });

export const announcedIds = ({ ids }: Message): string[] => String(ids).split(',');

function announce(bus: Bus, topic: string, ids: readonly string[]): void {
  for (let at = 0; at < ids.length; at += IDS_A_MESSAGE) {
    bus.hint(topic, messageOf(ids.slice(at, at + IDS_A_MESSAGE)));
  }
}

export function announceDecisions(bus: Bus, centerId: number, ids: readonly string[]): void {
  announce(bus, decisionsTopic(centerId), ids);
}

/** The same as part of a transaction: told when it commits. */
export function publishDecision(work: { publish: Publish }, centerId: number, id: string): void {
  work.publish(decisionsTopic(centerId), messageOf([id]));
}

type Publish = (topic: string, message: Message) => void;

export function announceAudit(bus: Bus, entries: readonly { id: string; centerId: number | null }[]): void {
  for (const [centerId, ofCenter] of Map.groupBy(entries, (entry) => entry.centerId)) {
    if (centerId === null) continue;
    announce(
      bus,
      auditTopic(centerId),
      ofCenter.map(({ id }) => id),
    );
  }
}
