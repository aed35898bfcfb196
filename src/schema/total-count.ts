import { MOST_COUNTED } from '../lib/paging.ts';

/** What `totalCount` says of a list that no tally is kept of. */
export const TOTAL_COUNT = `How many there are in all, as the list is filtered; counting stops at ${MOST_COUNTED}.`;

/** The total of a connection that carries the way to count it: nobody counts what was not asked for. */
export function totalOf(connection: object): Promise<number> {
  return (connection as { totalCount(): Promise<number> }).totalCount();
}
