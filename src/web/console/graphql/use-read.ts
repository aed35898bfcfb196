import type { TadaDocumentNode } from 'gql.tada';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type AnyVariables, useQuery } from 'urql';
import { type Failure, failureOf } from './failure.ts';
import { keepSame } from './keep-same.ts';
import { REFETCH_AFTER_DWELL } from './refetch-after-paint.ts';

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
    context: REFETCH_AFTER_DWELL,
  } as Parameters<typeof useQuery<Data, Variables>>[0]);
  const loading = fetching || stale;
  const asked = useRef({ execute, pause, loading });
  const again = useRef(false);
  // Stays the same whatever is asked for, so that what holds it need not be drawn again.
  const reload = useCallback(() => {
    const { execute: ask, pause: paused, loading: underWay } = asked.current;
    // What is under way may have been read before the change: it takes another look, after it.
    if (underWay) again.current = true;
    else if (!paused) ask({ requestPolicy: 'network-only', refetchAfterDwell: false });
  }, []);
  useEffect(() => {
    asked.current = { execute, pause, loading };
    if (loading || !again.current) return;
    again.current = false;
    reload();
  }, [execute, pause, loading, reload]);
  return { data: useKept(data ?? undefined), failure: failureOf(error), loading, reload };
}

/** The data, with the parts of what was shown before wherever they are equal. */
function useKept<Data>(data: Data): Data {
  const [shown, setShown] = useState({ read: data, kept: data });
  if (shown.read === data) return shown.kept;
  const kept = keepSame(shown.kept, data);
  setShown({ read: data, kept });
  return kept;
}
