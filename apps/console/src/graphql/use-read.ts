import { replaceEqualDeep } from '@tanstack/react-router';
import type { TadaDocumentNode } from 'gql.tada';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type AnyVariables, useQuery } from 'urql';
import { onRestored } from './connection.ts';
import { type Failure, failureOf, isPassing } from './failure.ts';
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
  // The service was away for a while, and messages of the streams were missed.
  useEffect(() => onRestored(() => asked.current.loading || reload()), [reload]);
  const failure = failureOf(error);
  const shown = useLatest(data ?? undefined, failure, JSON.stringify(variables));
  return { data: useShared(shown), failure, loading, reload };
}

/** The data, or those of the last success if the same query fails for a reason that passes. */
function useLatest<Data>(
  data: Data | undefined,
  failure: Failure | undefined,
  key: string,
): Data | undefined {
  const [latest, setLatest] = useState({ data, key });
  if (data !== undefined && (latest.data !== data || latest.key !== key)) setLatest({ data, key });
  return data === undefined && failure && isPassing(failure) && latest.key === key ? latest.data : data;
}

/** Structural sharing: equal parts keep their identity, so memoized rows are not rendered again. */
function useShared<Data>(data: Data): Data {
  const [shown, setShown] = useState({ read: data, kept: data });
  if (shown.read === data) return shown.kept;
  const kept = replaceEqualDeep(shown.kept, data);
  setShown({ read: data, kept });
  return kept;
}
