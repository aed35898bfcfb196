import type { Exchange, Operation } from 'urql';
import { filter, fromPromise, map, merge, mergeMap, pipe, share, takeUntil } from 'wonka';
import { afterDwell, afterPaint } from '../browser/after-paint.ts';

/** Query context: refetch a cached result only after the view has stayed unchanged for a moment. */
export const REFETCH_AFTER_DWELL = { refetchAfterDwell: true };

/** A background refetch: the cached result is on the screen already. */
const isRefetch = ({ kind, context }: Operation) =>
  kind === 'query' && context.requestPolicy === 'network-only';

const refetchTime = ({ context }: Operation) => (context['refetchAfterDwell'] ? afterDwell() : afterPaint());

/**
 * Delays the refetch of a cached result until it has been painted. Otherwise the request would compete with the rendering that
 * the user waits for.
 */
export const refetchAfterPaint: Exchange =
  ({ forward }) =>
  (operations$) => {
    const shared$ = pipe(operations$, share);
    const atOnce$ = pipe(
      shared$,
      filter((operation) => !isRefetch(operation)),
    );
    const later$ = pipe(
      shared$,
      filter(isRefetch),
      mergeMap((operation) =>
        pipe(
          fromPromise(refetchTime(operation)),
          map(() => operation),
          takeUntil(
            pipe(
              shared$,
              filter(({ kind, key }) => kind === 'teardown' && key === operation.key),
            ),
          ),
        ),
      ),
    );
    return forward(merge([atOnce$, later$]));
  };
