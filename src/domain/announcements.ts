// What subscriptions receive: the ids of new or changed rows, on a topic of their center. Only a hint for live subscribers:
// missed changes are still in the list.
import type { Bus, Message } from '../db/bus.ts';
import type { AuditType } from './audit/entry.ts';

/** New decision events of a center, and those whose status has changed. */
export const decisionsTopic = (centerId: number) => `decisions:${centerId}`;

/** New audit entries of a center. */
export const auditTopic = (centerId: number) => `audit:${centerId}`;

/** New audit entries of a partner's centers, and of the partner itself. */
export const partnerAuditTopic = (partnerId: string) => `audit:${partnerId}`;

/** New payments for a partner's centers. */
export const partnerPaymentsTopic = (partnerId: string) => `payments:${partnerId}`;

/** Centers that were created or changed, or whose members changed, for those who manage all of them. */
export const CENTERS_TOPIC = 'centers';

/** The audit types that change a center's visible state. */
const CHANGES_CENTER: ReadonlySet<AuditType> = new Set([
  'center.created',
  'center.updated',
  'membership.moved',
]);

/** This many ids fit well within one notification. */
const IDS_A_MESSAGE = 100;

export const messageOf = (ids: readonly string[]): Message => ({ id: ids[0]!, ids: ids.join(',') });

export const announcedIds = ({ ids }: Message): string[] => String(ids).split(',');

function announce(bus: Bus, topic: string, ids: readonly string[]): void {
  for (let at = 0; at < ids.length; at += IDS_A_MESSAGE) {
    bus.hint(topic, messageOf(ids.slice(at, at + IDS_A_MESSAGE)));
  }
}

export function announceDecisions(bus: Bus, centerId: number, ids: readonly string[]): void {
  announce(bus, decisionsTopic(centerId), ids);
}

/** The same as part of a unit of work: sent after its commit. */
export function publishDecision(work: { publish: Publish }, centerId: number, id: string): void {
  work.publish(decisionsTopic(centerId), messageOf([id]));
}

type Publish = (topic: string, message: Message) => void;

/** The parts of an audit entry that determine its recipients. */
interface Audited {
  id: string;
  type: AuditType;
  centerId: number | null;
  /** The partner it belongs to, directly or through its center. */
  partnerId: string | null;
}

export function announceAudit(bus: Bus, entries: readonly Audited[]): void {
  const tell = (topic: string, of: readonly Audited[]) =>
    announce(
      bus,
      topic,
      of.map(({ id }) => id),
    );
  for (const [centerId, ofCenter] of Map.groupBy(entries, (entry) => entry.centerId)) {
    if (centerId !== null) tell(auditTopic(centerId), ofCenter);
  }
  for (const [partnerId, ofPartner] of Map.groupBy(entries, (entry) => entry.partnerId)) {
    if (partnerId !== null) tell(partnerAuditTopic(partnerId), ofPartner);
  }
  announce(bus, CENTERS_TOPIC, changedCenters(entries));
}

function changedCenters(entries: readonly Audited[]): string[] {
  const changed = entries.filter(({ type, centerId }) => centerId !== null && CHANGES_CENTER.has(type));
  return [...new Set(changed.map(({ centerId }) => String(centerId)))];
}

/** Sent after the commit. */
export function publishPayment(
  work: { publish: Publish },
  { id, partnerId }: { id: string; partnerId: string | null },
): void {
  if (partnerId !== null) work.publish(partnerPaymentsTopic(partnerId), messageOf([id]));
}
