import type { App } from '../app.ts';

/** Where new and settled decision events of a center are announced; `ids` holds one or more, separated by commas. */
export const decisionsTopic = (centerId: number) => `decisions:${centerId}`;

/** Only a hint for those who watch live: whoever misses it finds the events in the list. */
export function announceDecisions(
  { bus, log }: Pick<App, 'bus' | 'log'>,
  centerId: number,
  ids: string[],
): void {
  bus
    .publish(decisionsTopic(centerId), { id: ids[0]!, ids: ids.join(',') })
    .catch((error: unknown) => log.warn({ err: error }, 'could not announce decision events'));
}
