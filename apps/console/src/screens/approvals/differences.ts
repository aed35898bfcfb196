import { isObject, type Json } from '../../graphql/graphql.ts';
import { memberLabel } from '../../text/labels.ts';

export interface Difference {
  /** The path of the value, as text. */
  path: string;
  before: Json | undefined;
  after: Json | undefined;
  kind: 'same' | 'changed' | 'added' | 'removed';
}

/** Values by path; a list counts as one value. */
function flatten(value: Json | undefined, path: string[] = []): [string, Json][] {
  if (value === undefined || value === null) return [];
  if (isObject(value))
    return Object.entries(value).flatMap(([name, member]) => flattenMember(member, [...path, name]));
  return [[path.map(memberLabel).join(' › ') || 'Value', value]];
}

const flattenMember = (member: Json, path: string[]): [string, Json][] =>
  member === null ? [[path.map(memberLabel).join(' › '), null]] : flatten(member, path);

/** Agents often describe the old and the new value themselves. */
const PAIRS = [
  ['before', 'after'],
  ['current', 'proposed'],
  ['old', 'new'],
  ['from', 'to'],
] as const;

function ownPair(value: Json): [Json, Json] | null {
  if (!isObject(value)) return null;
  for (const [was, shall] of PAIRS) {
    if (isObject(value[was]) && isObject(value[shall])) return [value[was], value[shall]];
  }
  return null;
}

/** The values of input and output side by side, changed ones first. */
export function compare(input: Json, output: Json): Difference[] {
  return differences(...(ownPair(input) ?? [input, output]));
}

/** The values of two documents side by side, changed ones first. */
export function differences(was: Json | undefined, is: Json | undefined): Difference[] {
  const before = new Map(flatten(was));
  const after = new Map(flatten(is));
  const rows = [...new Set([...before.keys(), ...after.keys()])].map((path): Difference => {
    const [a, b] = [before.get(path), after.get(path)];
    return { path, before: a, after: b, kind: kindOf(a, b) };
  });
  const order = { changed: 0, added: 1, removed: 2, same: 3 };
  return rows.sort((a, b) => order[a.kind] - order[b.kind]);
}

function kindOf(before: Json | undefined, after: Json | undefined): Difference['kind'] {
  if (after === undefined) return 'removed';
  if (before === undefined) return 'added';
  return JSON.stringify(before) === JSON.stringify(after) ? 'same' : 'changed';
}
