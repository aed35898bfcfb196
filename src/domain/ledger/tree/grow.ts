import {
  consistencyPlan,
  growTree,
  growthInputs,
  type NodeId,
  planNodes,
  rootPlan,
  treeRoot,
} from '@countersign/proof-kit';
import { sha256Bytes } from '../../../lib/crypto.ts';
import { HistoryChanged } from '../notes/faults.ts';
import { type Commitment, cutTail } from '../notes/signed-before.ts';
import { isLeafOf, requireKept } from './kept.ts';
import { type ChainNode, lookupIn, type NewRecord, nodesOf } from './nodes.ts';

/** A chain as its head row describes it, and the size of its tree. */
interface GrowingChain {
  id: number;
  size: number;
  headHash: string;
  treeSize: number;
}

/** How far a tree will grow, and which nodes and records must be read for it. */
export interface Growth<Chain extends GrowingChain = GrowingChain> {
  chain: Chain;
  /** Smaller than the chain if there are too many records for one pass; then nothing is signed yet. */
  target: number;
  commitments: Commitment[];
  records: { chainId: number; from: number; to: number }[];
  nodes: (NodeId & { chainId: number })[];
}

export interface Grown {
  added: ChainNode[];
  root: Uint8Array;
}

/** Throws HistoryChanged if the chain is shorter than before. */
export function planGrowth<Chain extends GrowingChain>(
  chain: Chain,
  commitments: Commitment[],
  most: number,
): Growth<Chain> {
  const { id: chainId, size, treeSize } = chain;
  const cut = commitments.find((commitment) => commitment.size > size);
  if (cut) throw cutTail(cut, size);
  if (treeSize > size)
    throw new HistoryChanged('cut_tail', size, `the tree covers ${treeSize} records, the chain has ${size}`);
  const target = Math.min(size, treeSize + most);
  const signing = target === size ? commitments : [];
  const wanted = [
    ...growthInputs(treeSize, target),
    ...planNodes(rootPlan(target)),
    ...signing.flatMap(({ size: signed }) => [
      ...planNodes(consistencyPlan(signed, target)),
      { level: 0, index: signed - 1 },
    ]),
    ...(treeSize > 0 ? [{ level: 0, index: treeSize - 1 }] : []),
  ];
  const from = Math.max(0, treeSize - 1);
  const lasts = signing.map((commitment) => commitment.size - 1).filter((last) => last < from);
  return {
    chain,
    target,
    commitments: signing,
    records: [
      { chainId, from, to: target },
      ...[...new Set(lasts)].map((last) => ({ chainId, from: last, to: last + 1 })),
    ],
    // Keeps the nodes that a tree of this size already has; the others are about to be added.
    nodes: nodesOf(
      chainId,
      wanted.filter(({ level, index }) => (index + 1) * 2 ** level <= treeSize),
    ),
  };
}

/**
 * Grows a tree by the records read. Each record must match its own hash and link to the previous one, because the tree is
 * about to be signed. The tree must also be consistent with everything signed before.
 */
export function growChain(growth: Growth, read: NewRecord[], stored: ReadonlyMap<string, Buffer>): Grown {
  const { chain, target, commitments } = growth;
  const { id: chainId, treeSize } = chain;
  const records = new Map(read.map((record) => [record.index, record]));
  const old = lookupIn(stored, chainId);
  let previous = treeSize > 0 ? lastInTree(chain, records, old) : null;
  const hashes: Uint8Array[] = [];
  for (let index = treeSize; index < target; index++) {
    const record = records.get(index);
    if (!record?.sound || record.previousHash !== previous)
      throw new HistoryChanged('broken_record', index, `record ${index} is missing, altered or unlinked`);
    previous = record.hash;
    hashes.push(Buffer.from(record.hash, 'hex'));
  }
  if (target === chain.size && previous !== chain.headHash)
    throw new HistoryChanged('rewritten', target - 1, 'the head of the chain is not its last record');

  const added = growTree(treeSize, hashes, old, sha256Bytes).map((node) => ({ ...node, chainId }));
  const fresh = new Map(added.map((node) => [`${node.level}/${node.index}`, node.hash]));
  const lookup = (level: number, index: number) => fresh.get(`${level}/${index}`) ?? old(level, index);
  const root = treeRoot(target, lookup, sha256Bytes);
  for (const commitment of commitments)
    requireKept(commitment, { size: target, root }, lookup, records.get(commitment.size - 1)?.hash);
  return { added, root };
}

/** The hash of the last record in the tree, which must not have changed since it was added. */
function lastInTree(
  { treeSize }: GrowingChain,
  records: ReadonlyMap<number, NewRecord>,
  old: (level: number, index: number) => Uint8Array,
): string {
  const index = treeSize - 1;
  const hash = records.get(index)?.hash;
  if (!hash || !isLeafOf(hash, old(0, index)))
    throw new HistoryChanged('rewritten', index, `record ${index} is not the one in the tree`);
  return hash;
}
