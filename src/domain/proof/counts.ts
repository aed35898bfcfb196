import type { DecisionEventStatus, DecisionEventType } from '../../db/generated/prisma/enums.ts';
import type { TallyChange } from '../tallies/tally.ts';

interface Kind {
  type?: DecisionEventType | undefined;
  status?: DecisionEventStatus | undefined;
}

/** The tally that counts a center's events of a type, of a status, of both, or all of them. */
export function countKey(centerId: number, { type, status }: Kind): string {
  return `events:${centerId}:${type ?? '*'}:${status ?? '*'}`;
}

/** Every tally that an event counts in. */
export function countKeys(centerId: number, type: DecisionEventType, status: DecisionEventStatus): string[] {
  return [{}, { type }, { status }, { type, status }].map((kind) => countKey(centerId, kind));
}

/** What changes when an event goes from one status to another. */
export function statusMove(
  centerId: number,
  type: DecisionEventType,
  from: DecisionEventStatus,
  to: DecisionEventStatus,
): TallyChange[] {
  return [
    { key: countKey(centerId, { status: from }), delta: -1 },
    { key: countKey(centerId, { type, status: from }), delta: -1 },
    { key: countKey(centerId, { status: to }), delta: 1 },
    { key: countKey(centerId, { type, status: to }), delta: 1 },
  ];
}
