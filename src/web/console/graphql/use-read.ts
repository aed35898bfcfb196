import type { TadaDocumentNode } from 'gql.tada';
import { useCallback, useEffect, useRef } from 'react';
import { type AnyVariables, useQuery } from 'urql';
import { type Failure, failureOf } from './failure.ts';

/** What a screen has read: the newest data there is, why there is none, and whether more is on its way. */
export interface Read<Data> {
  data: Data | undefined;
  failure: Failure | undefined;
  loading: boolean;
  reload: () => void;
}

export function useRead<Data, Variables extends AnyVariables>(
  query: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  { pause = false }: { pause?: boolean } = {},
): Read<Data> {
  const [{ data, error, fetching, stale }, execute] = useQuery<Data, Variables>({
    query,
    variables,
    pause,
    requestPolicy: 'cache-and-network',
  } as Parameters<typeof useQuery<Data, Variables>>[0]);
  const loading = fetching || stale;
  const underWay = useRef(loading);
  const again = useRef(false);
  const reload = useCallback(() => {
    // What is under way may have been read before the change: it takes another look, after it.
    if (underWay.current) again.current = true;
    else if (!pause) execute({ requestPolicy: 'network-only' });
  }, [execute, pause]);
  useEffect(() => {
    underWay.current = loading;
    if (loading || !again.current) return;
    again.current = false;
    reload();
  }, [loading, reload]);
  return { data: data ?? undefined, failure: failureOf(error), loading, reload };
}
