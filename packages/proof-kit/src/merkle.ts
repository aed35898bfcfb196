/** The RFC 9162 Merkle tree over the record hashes of one chain: appending, creating proofs, checking proofs. */
import { concatBytes, equalBytes } from './bytes.ts';
import { type NodeId, type ProofPlan, rootPlan, splitPoint } from './merkle-plan.ts';
import { type Digest, sha256 } from './sha256.ts';

/** Returns the stored hash of a complete node. Must throw for an unknown node. */
export type NodeLookup = (level: number, index: number) => Uint8Array;

export interface TreeNode extends NodeId {
  hash: Uint8Array;
}

const LEAF_PREFIX = Uint8Array.of(0);
const NODE_PREFIX = Uint8Array.of(1);

const isOdd = (n: number): boolean => n % 2 === 1;
const half = (n: number): number => Math.floor(n / 2);
const isSize = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;

/** The leaf for a record, whose data is the 32 raw bytes of the record's hash. */
export function leafHash(recordHashBytes: Uint8Array, digest: Digest = sha256): Uint8Array {
  return digest(concatBytes(LEAF_PREFIX, recordHashBytes));
}

export function nodeHash(left: Uint8Array, right: Uint8Array, digest: Digest = sha256): Uint8Array {
  return digest(concatBytes(NODE_PREFIX, left, right));
}

/** The hashes of a plan: one for `rootPlan`, several for a proof. */
export function resolvePlan(plan: ProofPlan, lookup: NodeLookup, digest: Digest = sha256): Uint8Array[] {
  return plan.map((nodes) =>
    nodes
      .map(({ level, index }) => lookup(level, index))
      .reduceRight((right, left) => nodeHash(left, right, digest)),
  );
}

export function treeRoot(size: number, lookup: NodeLookup, digest: Digest = sha256): Uint8Array {
  return resolvePlan(rootPlan(size), lookup, digest)[0] ?? digest(new Uint8Array());
}

/** The parents completed by new neighbors on one level; of the older nodes at most the left neighbor is read. */
function parentHashes(
  level: number,
  first: number,
  hashes: Uint8Array[],
  lookup: NodeLookup,
  digest: Digest,
): Uint8Array[] {
  const child = (index: number) => (index < first ? lookup(level, index) : hashes[index - first]!);
  const parents: Uint8Array[] = [];
  for (let index = half(first); index < half(first + hashes.length); index++) {
    parents.push(nodeHash(child(index * 2), child(index * 2 + 1), digest));
  }
  return parents;
}

/**
 * The complete nodes added by appending, leaves first. `lookup` is called only for the nodes of `growthInputs(fromSize,
 * fromSize + recordHashes.length)`.
 */
export function growTree(
  fromSize: number,
  recordHashes: Uint8Array[],
  lookup: NodeLookup,
  digest: Digest = sha256,
): TreeNode[] {
  if (!isSize(fromSize)) throw new RangeError('fromSize must be a whole number from 0');
  const grown: TreeNode[] = [];
  let first = fromSize;
  let hashes = recordHashes.map((hash) => leafHash(hash, digest));
  for (let level = 0; hashes.length > 0; level++) {
    for (const [i, hash] of hashes.entries()) grown.push({ level, index: first + i, hash });
    hashes = parentHashes(level, first, hashes, lookup, digest);
    first = half(first);
  }
  return grown;
}

/** The root of a small tree, and the inclusion proof of each of its leaves. */
export function inclusionProofs(
  leaves: readonly Uint8Array[],
  digest: Digest = sha256,
): { root: Uint8Array; proofs: Uint8Array[][] } {
  const proofs: Uint8Array[][] = leaves.map(() => []);
  const rootOf = (begin: number, end: number): Uint8Array => {
    if (end - begin === 1) return leaves[begin]!;
    const middle = begin + splitPoint(end - begin);
    const [left, right] = [rootOf(begin, middle), rootOf(middle, end)];
    for (let i = begin; i < end; i++) proofs[i]!.push(i < middle ? right : left);
    return nodeHash(left, right, digest);
  };
  return { root: rootOf(0, leaves.length), proofs };
}

/**
 * Follows a proof from a node to the root (RFC 9162, 2.1.3.2 and 2.1.4.2) and passes on each of its hashes, which is the left or
 * the right neighbor. Returns whether the proof has the right length. `last` is the index of the last node on that level.
 */
function climb(
  index: number,
  last: number,
  proof: readonly Uint8Array[],
  join: (hash: Uint8Array, isLeft: boolean) => void,
): boolean {
  let [position, end] = [index, last];
  const rise = () => {
    position = half(position);
    end = half(end);
  };
  for (const hash of proof) {
    if (end === 0) return false;
    const isLeft = isOdd(position) || position === end;
    join(hash, isLeft);
    // A rightmost node without a sibling moves up unchanged to the level where it has one.
    while (isLeft && !isOdd(position) && position !== 0) rise();
    rise();
  }
  return end === 0;
}

/** The root computed from an inclusion proof, or null if the proof has the wrong length. */
export function rootFromInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  proof: Uint8Array[],
  digest: Digest = sha256,
): Uint8Array | null {
  if (!isSize(index) || !isSize(size) || index >= size) return null;
  let root = leaf;
  const fits = climb(index, size - 1, proof, (hash, isLeft) => {
    root = isLeft ? nodeHash(hash, root, digest) : nodeHash(root, hash, digest);
  });
  return fits ? root : null;
}

export function verifyInclusion(
  input: { leaf: Uint8Array; index: number; size: number; proof: Uint8Array[]; root: Uint8Array },
  digest: Digest = sha256,
): boolean {
  const root = rootFromInclusion(input.leaf, input.index, input.size, input.proof, digest);
  return root !== null && equalBytes(root, input.root);
}

/** Whether the second tree contains the first one unchanged and only appends to it. */
export function verifyConsistency(
  input: {
    first: { size: number; root: Uint8Array };
    second: { size: number; root: Uint8Array };
    proof: Uint8Array[];
  },
  digest: Digest = sha256,
): boolean {
  const { first, second, proof } = input;
  if (!isSize(first.size) || !isSize(second.size) || first.size > second.size) return false;
  if (first.size === second.size) return proof.length === 0 && equalBytes(first.root, second.root);
  if (first.size === 0) return proof.length === 0 && equalBytes(first.root, digest(new Uint8Array()));

  let position = first.size - 1;
  let last = second.size - 1;
  while (isOdd(position)) {
    position = half(position);
    last = half(last);
  }
  // A first tree of 2^n leaves is itself the starting node, so the proof omits it.
  const hashes = position === 0 ? [first.root, ...proof] : proof;
  const [start, ...rest] = hashes;
  if (start === undefined) return false;
  let firstRoot = start;
  let secondRoot = start;
  const fits = climb(position, last, rest, (hash, isLeft) => {
    if (isLeft) firstRoot = nodeHash(hash, firstRoot, digest);
    secondRoot = isLeft ? nodeHash(hash, secondRoot, digest) : nodeHash(secondRoot, hash, digest);
  });
  return fits && equalBytes(firstRoot, first.root) && equalBytes(secondRoot, second.root);
}
