/**
 * Determines which stored nodes make up a Merkle root or proof (RFC 9162, section 2.1), without reading any hash.
 *
 * Only complete subtrees are stored, addressed by level and index: node (l, i) covers the leaves from i * 2^l up to
 * (i + 1) * 2^l. Such a node never changes once it exists, whatever is appended later. Every hash of every proof is a
 * short fold of them, so a plan lists, for each hash, the nodes to fold: a database can fetch them all in one query.
 *
 * Sizes and indexes are ordinary numbers up to 2^53, hence division instead of 32-bit shifts.
 */

export interface NodeId {
  level: number;
  index: number;
}

/** For each hash of the result, the complete nodes to fold, left to right. */
export type ProofPlan = NodeId[][];

function requireSize(value: number, name: string): void {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`${name} must be a whole number from 0`);
}

/** The largest power of two strictly below n, where the RFC splits n leaves into two parts. */
export function splitPoint(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** The complete nodes that make up leaves begin..end, for ranges as they occur in a tree: begin is aligned. */
function rangeNodes(begin: number, end: number): NodeId[] {
  const nodes: NodeId[] = [];
  let at = begin;
  while (at < end) {
    let level = 0;
    let width = 1;
    while (at + width * 2 <= end && at % (width * 2) === 0) {
      level++;
      width *= 2;
    }
    nodes.push({ level, index: at / width });
    at += width;
  }
  return nodes;
}

/** The nodes whose fold is the root of a tree; none for the empty tree. */
export function rootPlan(size: number): ProofPlan {
  requireSize(size, 'size');
  return size === 0 ? [] : [rangeNodes(0, size)];
}

/**
 * Halves the tree until `isDone`, and keeps the part with the leaf. The plan has the other parts, root side first; the range is
 * what is left.
 */
function halve(size: number, leaf: number, isDone: (begin: number, end: number) => boolean) {
  const plan: ProofPlan = [];
  let [begin, end] = [0, size];
  while (!isDone(begin, end)) {
    const middle = begin + splitPoint(end - begin);
    const isLeft = leaf < middle;
    plan.push(isLeft ? rangeNodes(middle, end) : rangeNodes(begin, middle));
    if (isLeft) end = middle;
    else begin = middle;
  }
  return { plan, begin, end };
}

/** PATH(index, D[size]): the siblings on the path to the leaf, leaf side first. */
export function inclusionPlan(index: number, size: number): ProofPlan {
  requireSize(index, 'index');
  requireSize(size, 'size');
  if (index >= size) throw new RangeError('the leaf is not in a tree of this size');
  return halve(size, index, (begin, end) => end - begin === 1).plan.reverse();
}

/** PROOF(first, D[second]): empty if the sizes are equal or the first tree is empty. */
export function consistencyPlan(first: number, second: number): ProofPlan {
  requireSize(first, 'first');
  requireSize(second, 'second');
  if (first > second) throw new RangeError('the first tree must not be larger than the second');
  if (first === 0 || first === second) return [];
  const { plan, begin, end } = halve(second, first - 1, (_, at) => at === first);
  // If the old tree is a complete left subtree, the verifier already knows its root, so it is omitted.
  if (begin > 0) plan.push(rangeNodes(begin, end));
  return plan.reverse();
}

/** Every node that a plan reads, for fetching them in one query. */
export function planNodes(plan: ProofPlan): NodeId[] {
  return plan.flat();
}

/** The old nodes needed to compute the new ones when a tree grows: at most one per level. */
export function growthInputs(fromSize: number, toSize: number): NodeId[] {
  requireSize(fromSize, 'fromSize');
  requireSize(toSize, 'toSize');
  const inputs: NodeId[] = [];
  for (let level = 0, width = 1; width * 2 <= toSize; level++, width *= 2) {
    const parent = Math.floor(fromSize / (width * 2));
    const completeBefore = Math.floor(fromSize / width);
    const parentIsNew = parent < Math.floor(toSize / (width * 2));
    if (parentIsNew && parent * 2 < completeBefore) inputs.push({ level, index: parent * 2 });
  }
  return inputs;
}

/** The complete nodes that a tree of toSize has and one of fromSize lacks, level by level from the leaves. */
export function newNodes(fromSize: number, toSize: number): NodeId[] {
  requireSize(fromSize, 'fromSize');
  requireSize(toSize, 'toSize');
  const nodes: NodeId[] = [];
  for (let level = 0, width = 1; width <= toSize; level++, width *= 2) {
    for (let index = Math.floor(fromSize / width); index < Math.floor(toSize / width); index++) {
      nodes.push({ level, index });
    }
  }
  return nodes;
}
