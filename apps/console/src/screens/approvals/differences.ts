import type { CardValue } from '@countersign/proof-kit/decision-card';

export interface Difference {
  before: CardValue | undefined;
  after: CardValue | undefined;
  kind: 'same' | 'changed' | 'added' | 'removed';
}

/** The values of two documents side by side, by path: changed ones first. */
export function differences(was: readonly CardValue[], is: readonly CardValue[]): Difference[] {
  const before = new Map(was.map((each) => [each.path, each]));
  const after = new Map(is.map((each) => [each.path, each]));
  const rows = [...new Set([...after.keys(), ...before.keys()])].map((path): Difference => {
    const [a, b] = [before.get(path), after.get(path)];
    return { before: a, after: b, kind: kindOf(a, b) };
  });
  const order = { changed: 0, added: 1, removed: 2, same: 3 };
  return rows.sort((a, b) => order[a.kind] - order[b.kind]);
}

function kindOf(before: CardValue | undefined, after: CardValue | undefined): Difference['kind'] {
  if (!after) return 'removed';
  if (!before) return 'added';
  return before.value === after.value ? 'same' : 'changed';
}
