import { replaceEqualDeep } from '@tanstack/react-router';
import type { TadaDocumentNode } from 'gql.tada';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type AnyVariables, useQuery } from 'urql';
import { type Failure, failureOf } from './failure.ts';
import { REFETCH_AFTER_DWELL } from './refetch-after-paint.ts';

/** The result of a query: the latest data, the error, and whether a request is in flight. */
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
    context: REFETCH_AFTER_DWELL,
  } as Parameters<typeof useQuery<Data, Variables>>[0]);
  const loading = fetching || stale;
  const asked = useRef({ execute, pause, loading });
  const again = useRef(false);
  // A stable function, so that components that receive it are not rendered again.
  const reload = useCallback(() => {
    const { execute: ask, pause: paused, loading: underWay } = asked.current;
    // A request in flight may have read the state before the change: refetch after it.
    if (underWay) again.current = true;
    else if (!paused) ask({ requestPolicy: 'network-only', refetchAfterDwell: false });
  }, []);
  useEffect(() => {
    asked.current = { execute, pause, loading };
    if (loading || !again.current) return;
    again.current = false;
    reload();
  }, [execute, pause, loading, reload]);
  return { data: useShared(data ?? undefined), failure: failureOf(error), loading, reload };
}

/** Structural sharing: equal parts keep their identity, so memoized rows are not rendered again. */
function useShared<Data>(data: Data): Data {
  const [shown, setShown] = useState({ read: data, kept: data });
  if (shown.read === data) return shown.kept;
  const kept = replaceEqualDeep(shown.kept, data);
  setShown({ read: data, kept });
  return kept;
}
