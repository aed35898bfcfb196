import type { TadaDocumentNode } from 'gql.tada';
import { type AnyVariables, useClient } from 'urql';
import { failureMessage, failureOf } from './failure.ts';
import { type Read, useRead } from './use-read.ts';

/** A list that is read page by page. */
export interface Pages<Data> extends Read<Data> {
  /** Prefetches a page that the user is about to open. */
  prepare: (place: Place) => void;
  /** Reads the current state of a page that is not shown. */
  fetch: (size: number, place: Place) => Promise<Data>;
}

/** The variables that name a page. */
export type Paging = 'first' | 'last' | 'after' | 'before';

export function usePages<Data, Variables extends AnyVariables>(
  query: TadaDocumentNode<Data, Variables>,
  size: number,
  place: Place,
  others: Omit<Variables, Paging>,
): Pages<Data> {
  const client = useClient();
  const at = (where: Place, most = size) => ({ ...others, ...pageOf(most, where) }) as unknown as Variables;
  return {
    ...useRead(query, at(place)),
    prepare: (next) => void client.query(query, at(next), { requestPolicy: 'cache-first' }).toPromise(),
    fetch: async (most, where) => {
      const context = { requestPolicy: 'network-only' } as const;
      const { data, error } = await client.query(query, at(where, most), context).toPromise();
      const failure = failureOf(error);
      if (failure || !data)
        throw new Error(failure ? failureMessage(failure) : 'The service returned no data.');
      return data;
    },
  };
}

/** A place in a list, as encoded in the address. */
export interface Place {
  after?: string | undefined;
  before?: string | undefined;
}

/** The variables of one page: after a position, before one, or the first. */
const pageOf = (size: number, { after, before }: Place) =>
  before ? { last: size, before } : { first: size, after };
