import type { Exchange, Operation } from 'urql';
import { filter, fromPromise, map, merge, mergeMap, pipe, share, takeUntil } from 'wonka';
import { picture, stay } from '../ui/picture.ts';

/** Said with a query whose answer, where it is known, is asked for again when somebody stays with it. */
export const ASKED_AGAIN_LATER = { askedAgainLater: true };

/** Asks whether what is known already is still so: somebody looks at something in the meantime. */
const looksAgain = ({ kind, context }: Operation) =>
  kind === 'query' && context.requestPolicy === 'network-only';

const itsTime = ({ context }: Operation) => (context['askedAgainLater'] ? stay() : picture());

/**
 * What is known is shown first, and asked for again when it has been painted, or when somebody stays with it. Otherwise the request,
 * and all the work that it is to the browser, the service and the database, would take its time from the picture that somebody
 * waits for, this one or the next.
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
          fromPromise(itsTime(operation)),
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
