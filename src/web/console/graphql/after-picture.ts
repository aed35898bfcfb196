import type { Exchange, Operation } from 'urql';
import { filter, fromPromise, map, merge, mergeMap, pipe, share, takeUntil } from 'wonka';
import { picture } from '../ui/picture.ts';

/** Asks whether what is known already is still so: somebody looks at something in the meantime. */
const looksAgain = ({ kind, context }: Operation) =>
  kind === 'query' && context.requestPolicy === 'network-only';

/**
 * What is known is shown first, and asked for again when it has been painted. Otherwise the request, and all the work that it is to
 * the browser, the service and the database, would take its time from the picture that somebody waits for.
 */
export const afterPicture: Exchange =
  ({ forward }) =>
  (operations$) => {
    const shared$ = pipe(operations$, share);
    const atOnce$ = pipe(
      shared$,
      filter((operation) => !looksAgain(operation)),
    );
    const later$ = pipe(
      shared$,
      filter(looksAgain),
      mergeMap((operation) =>
        pipe(
          fromPromise(picture()),
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
