import { useState } from 'react';

interface Keyed {
  ids: readonly string[];
  keys: readonly string[];
  /** The number of keys created so far. */
  created: number;
}

const none: Keyed = { ids: [], keys: [], created: 0 };

/**
 * React keys for the rows of a table. A row that stays keeps its key, and with it its focus and state. When most rows are
 * replaced, as on the next page, the new rows reuse the old keys: updating texts is much faster than creating elements.
 */
export function useRowKeys(ids: readonly string[]): readonly string[] {
  const [known, setKnown] = useState(none);
  if (isSameList(known.ids, ids)) return known.keys;
  const next = keysFor(known, ids);
  setKnown(next);
  return next.keys;
}

function keysFor(before: Keyed, ids: readonly string[]): Keyed {
  let { created } = before;
  const fresh = () => `row ${created++}`;
  const known = new Map(before.ids.map((id, i) => [id, before.keys[i]!]));
  const others = ids.filter((id) => !known.has(id)).length;
  const turned = others > ids.length / 2;
  const keys = ids.map((id, i) => (turned ? before.keys[i] : known.get(id)) ?? fresh());
  return { ids, keys, created };
}

const isSameList = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((id, i) => id === other[i]);
