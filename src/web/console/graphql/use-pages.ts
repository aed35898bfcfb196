import type { TadaDocumentNode } from 'gql.tada';
import { type AnyVariables, useClient } from 'urql';
import { type Place, pageOf } from './page-of.ts';
import { type Read, useRead } from './use-read.ts';

/** A list that is read page by page. */
export interface Pages<Data> extends Read<Data> {
  /** Prefetches a page that the user is about to open. */
  prepare: (place: Place) => void;
}

type Paging = 'first' | 'last' | 'after' | 'before';

export function usePages<Data, Variables extends AnyVariables>(
  query: TadaDocumentNode<Data, Variables>,
  size: number,
  place: Place,
  others: Omit<Variables, Paging>,
): Pages<Data> {
  const client = useClient();
  const at = (where: Place) => ({ ...others, ...pageOf(size, where) }) as unknown as Variables;
  return {
    ...useRead(query, at(place)),
    prepare: (next) => void client.query(query, at(next), { requestPolicy: 'cache-first' }).toPromise(),
  };
}
