/** What other systems can subscribe to. */
export const eventTypes = [
  'dpu.sealed',
  'dpu.verified',
  'agent.decision.completed',
  'agent.approval.requested',
  'payment.completed',
  'payment.failed',
  'attendance.verified',
  'certificate.issued',
  'workflow.transitioned',
] as const;

export type EventType = (typeof eventTypes)[number];

/** Something that happened in a center, to be told to whoever subscribed. */
export interface EventDraft {
  centerId: number;
  type: EventType;
  data: Record<string, unknown>;
}

/** The subscriptions that an event type answers to: itself, every prefix with a star, and the star alone. */
export function patternsFor(type: string): string[] {
  const parts = type.split('.');
  const prefixes = parts.slice(0, -1).map((_, i) => `${parts.slice(0, i + 1).join('.')}.*`);
  return [type, ...prefixes, '*'];
}
