import { hash } from 'node:crypto';
import { DecisionEventStatus, DecisionEventType } from '../../db/generated/prisma/enums.ts';
import type { TallyChange } from '../tallies/tally.ts';

interface Kind {
  type?: DecisionEventType | undefined;
  status?: DecisionEventStatus | undefined;
}

/** The tally key for a center's events of one type and status. Must match the name in the recorder's statement. */
const countKey = (centerId: number, type: DecisionEventType, status: DecisionEventStatus) =>
  `events:${centerId}:${type}:${status}`;

/**
 * The tally keys that add up to a center's events of a type, a status, both, or all. Only the finest tallies are stored:
 * summing a few is cheaper for a reader than maintaining the sums is for every writer.
 */
export function countKeys(centerId: number, { type, status }: Kind): string[] {
  const types = type ? [type] : Object.values(DecisionEventType);
  const statuses = status ? [status] : Object.values(DecisionEventStatus);
  return types.flatMap((each) => statuses.map((one) => countKey(centerId, each, one)));
}

/**
 * The tally key for a center's events with a tag. Tally rows are not tenant-isolated, so the key does not contain the tag
 * itself. Must match `tag_tally`.
 */
export const tagKey = (centerId: number, tag: string) =>
  `tagged:${centerId}:${hash('sha256', `${centerId}:${tag}`)}`;

/** The tally changes when an event moves from one status to another. */
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
