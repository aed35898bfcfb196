import { useState } from 'react';

interface Keyed {
  ids: readonly string[];
  keys: readonly string[];
  /** How many keys were ever given. */
  given: number;
}

const nobody: Keyed = { ids: [], keys: [], given: 0 };

/**
 * Keys for the rows of a table. A row that stays keeps its own, so that its focus and what it is doing stay with it. When most of them
 * are others than before, as when a page is turned, the rows there are become the new ones: to change texts takes the browser far
 * less than to make rows.
 */
export function useRowKeys(ids: readonly string[]): readonly string[] {
  const [known, setKnown] = useState(nobody);
  if (isSameList(known.ids, ids)) return known.keys;
  const next = keysFor(known, ids);
  setKnown(next);
  return next.keys;
}

function keysFor(before: Keyed, ids: readonly string[]): Keyed {
  let { given } = before;
  const fresh = () => `row ${given++}`;
  const known = new Map(before.ids.map((id, i) => [id, before.keys[i]!]));
  const others = ids.filter((id) => !known.has(id)).length;
  const turned = others > ids.length / 2;
  const keys = ids.map((id, i) => (turned ? before.keys[i] : known.get(id)) ?? fresh());
  return { ids, keys, given };
}

const isSameList = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((id, i) => id === other[i]);
