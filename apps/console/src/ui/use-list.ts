import { useRouter } from '@tanstack/react-router';
import type { TadaDocumentNode } from 'gql.tada';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { AnyVariables } from 'urql';
import { afterDwell } from '../browser/after-paint.ts';
import { type Pages, type Paging, type Place, usePages } from '../graphql/use-pages.ts';

/** The filters and the page of a list, by their names in the address. */
interface ListAddress<Search> {
  shown: Search;
  /** Shows another page or other filters. */
  change: (changes: Partial<Search>) => void;
  /** Changes the filters and returns to the first page. */
  narrow: (changes: Partial<Search>) => void;
}

const isSame = (one: object, other: object) =>
  Object.entries({ ...one, ...other }).every(
    ([name]) => one[name as keyof typeof one] === other[name as keyof typeof other],
  );

/**
 * Keeps the state of a list in the address, so that it can be shared and restored. Changes are shown immediately; the address
 * follows when the user pauses.
 */
function useListAddress<Search extends Place>(inAddress: Search): ListAddress<Search> {
  const router = useRouter();
  const [shown, setShown] = useState(inAddress);
  const latest = useRef({ shown, inAddress });
  /** Not yet in the address. */
  const sent = useRef<Search[]>([]);

  useLayoutEffect(() => {
    latest.current.inAddress = inAddress;
    const mine = sent.current.findIndex((one) => isSame(one, inAddress));
    sent.current = mine < 0 ? [] : sent.current.slice(mine + 1);
    // Changed by a link or by the Back button.
    if (mine < 0 && !isSame(latest.current.shown, inAddress)) setShown(inAddress);
  }, [inAddress]);

  useEffect(() => {
    latest.current.shown = shown;
    if (isSame(sent.current.at(-1) ?? latest.current.inAddress, shown)) return undefined;
    const { pathname } = router.latestLocation;
    let over = false;
    void afterDwell().then(() => {
      // A user who navigates to another screen is not brought back.
      if (over || router.latestLocation.pathname !== pathname) return;
      sent.current.push(shown);
      void router
        .navigate({ to: '.', search: shown as never, replace: true })
        .then(afterDwell)
        // A later change has replaced it.
        .then(() => {
          sent.current = sent.current.filter((one) => one !== shown);
        });
    });
    return () => {
      over = true;
    };
  }, [shown, router]);

  const change = useCallback(
    (changes: Partial<Search>) => setShown((before) => ({ ...before, ...changes })),
    [],
  );
  const narrow = useCallback(
    (changes: Partial<Search>) => change({ after: undefined, before: undefined, ...changes }),
    [change],
  );
  return { shown, change, narrow };
}

/** A list that is read page by page, with its filters and its page in the address. */
export function useList<Data, Variables extends AnyVariables, Search extends Place>(
  query: TadaDocumentNode<Data, Variables>,
  inAddress: Search,
  variables: (shown: Search) => Omit<Variables, Paging>,
  size = 25,
): Pages<Data> & ListAddress<Search> {
  const address = useListAddress(inAddress);
  return { ...usePages(query, size, address.shown, variables(address.shown)), ...address };
}
