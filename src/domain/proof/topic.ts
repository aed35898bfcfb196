import type { Bus } from '../../db/bus.ts';

/** Where new and settled decision events of a center are announced; `ids` holds one or more, separated by commas. */
export const decisionsTopic = (centerId: number) => `decisions:${centerId}`;

/** Only a hint for those who watch live: whoever misses it finds the events in the list. */
export function announceDecisions(bus: Bus, centerId: number, ids: string[]): void {
  bus.hint(decisionsTopic(centerId), { id: ids[0]!, ids: ids.join(',') });
}
