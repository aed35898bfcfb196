/** Changes to whole attached records, as by a service that leaves one out, repeats it, or shows another one in its place. */
import { isTree, type Tree } from './expand.ts';
import type { Random } from './random.ts';

/** Lists of attached records, by the name of their member. The outcome and the proof of a mandate stand alone. */
function listsIn(document: Tree): [name: string, list: Tree[]][] {
  return Object.entries(document).flatMap(([name, value]) => {
    const isList = Array.isArray(value) && value.length > 0 && value.every((each) => isTree(each));
    return isList ? [[name, value as Tree[]]] : [];
  });
}

const SINGLE = ['outcome', 'mandateProof'];

/**
 * Leaves a record out. Returns whether the rest can no longer be proven: the outcome may be missing, and a removal of a passkey
 * that was registered again since.
 */
function leaveOut(document: Tree, random: Random): boolean {
  const lists = listsIn(document);
  const names = [...lists.map(([name]) => name), ...SINGLE.filter((name) => document[name] !== undefined)];
  if (names.length === 0) return false;
  const name = random.pick(names);
  const list = lists.find(([own]) => own === name)?.[1];
  if (list && list.length > 1 && random.chance(0.7)) list.splice(random.below(list.length), 1);
  else delete document[name];
  if (name === 'credentials') return document[name] === undefined;
  return name !== 'outcome';
}

/** Repeats a record, changes the order of a list, or takes a record from another document. */
function exchange(document: Tree, others: readonly Tree[], random: Random): void {
  const other = structuredClone(random.pick(others));
  const lists = listsIn(document);
  const name = random.pick([...lists.map(([own]) => own), ...SINGLE, 'credentials', 'policies', 'erased']);
  const own = lists.find(([each]) => each === name)?.[1];
  const foreign = listsIn(other).find(([each]) => each === name)?.[1];
  if (own && random.chance(0.3))
    own.splice(random.below(own.length + 1), 0, structuredClone(random.pick(own)));
  else if (own && random.chance(0.2)) own.reverse();
  else if (own && foreign) own.splice(random.below(own.length), random.below(2), random.pick(foreign));
  else if (other[name] !== undefined) document[name] = other[name];
}

/** Returns whether something was left out without which the document cannot be proven. */
export function mutateAttached(document: Tree, others: readonly Tree[], random: Random): boolean {
  if (random.chance(0.5)) return leaveOut(document, random);
  exchange(document, others, random);
  return false;
}
