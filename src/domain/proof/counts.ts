import { hash } from 'node:crypto';
import { DecisionEventStatus, DecisionEventType } from '../../db/generated/prisma/enums.ts';
import type { TallyChange } from '../tallies/tally.ts';

interface Kind {
  type?: DecisionEventType | undefined;
  status?: DecisionEventStatus | undefined;
}

/** The tally of a center's events of one type and status; the recorder's statement writes the same name. */
const countKey = (centerId: number, type: DecisionEventType, status: DecisionEventStatus) =>
  `events:${centerId}:${type}:${status}`;

/**
 * The tallies that add up to a center's events of a type, of a status, of both, or of any. Only the finest are kept:
 * adding up a few of them costs a reader less than keeping the sums would cost every writer.
 */
export function countKeys(centerId: number, { type, status }: Kind): string[] {
  const types = type ? [type] : Object.values(DecisionEventType);
  const statuses = status ? [status] : Object.values(DecisionEventStatus);
  return types.flatMap((each) => statuses.map((one) => countKey(centerId, each, one)));
}

/** The tally of a center's events with a tag. Tallies belong to no center, so the tag is not written there; `tag_tally` makes the same name. */
export const tagKey = (centerId: number, tag: string) =>
  `tagged:${centerId}:${hash('sha256', `${centerId}:${tag}`)}`;

/** What changes when an event goes from one status to another. */
export function statusChanged(
  centerId: number,
  type: DecisionEventType,
  from: DecisionEventStatus,
  to: DecisionEventStatus,
): TallyChange[] {
  return [
    { key: countKey(centerId, type, from), delta: -1 },
    { key: countKey(centerId, type, to), delta: 1 },
  ];
}
