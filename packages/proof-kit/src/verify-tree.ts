/** Whether a leaf is in a tree with a signed root. */
import { type Bytes, equalBytes, fromHex, toHex } from './bytes.ts';
import { type OriginParts, parseCheckpoint, parseOrigin, type SignedCheckpoint } from './checkpoint.ts';
import { leafHash, rootFromInclusion } from './merkle.ts';
import type { Inclusion } from './proof-document.ts';
import { Refutation } from './sealed-content.ts';

export interface KnownCheckpoint extends SignedCheckpoint {
  parts: OriginParts;
}

/** A checkpoint with a valid signature, which commits its signer. */
export interface SeenCheckpoint {
  origin: string;
  size: number;
  root: string;
  note: string;
}

export function readCheckpoint(text: string, what: string): KnownCheckpoint {
  let checkpoint: SignedCheckpoint;
  try {
    checkpoint = parseCheckpoint(text);
  } catch {
    throw new Refutation(`${what} is no signed checkpoint`);
  }
  const parts = parseOrigin(checkpoint.origin);
  if (parts === null) throw new Refutation(`${what} is of an unknown origin`);
  return { ...checkpoint, parts };
}

/** `what` names the inclusion proof; `leaf` is the data of the leaf. */
export function checkIncluded(
  leaf: Bytes,
  proof: Inclusion,
  checkpoint: SignedCheckpoint,
  what: string,
): void {
  if (proof.treeSize !== checkpoint.size)
    throw new Refutation(`${what}.treeSize is not the size in its checkpoint`);
  const root = rootFromInclusion(leafHash(leaf), proof.leafIndex, proof.treeSize, proof.hashes.map(fromHex));
  if (root === null || !equalBytes(root, checkpoint.root))
    throw new Refutation(`${what} does not lead to the root in its checkpoint`);
}

export function seen({ origin, size, root }: SignedCheckpoint, note: string): SeenCheckpoint {
  return { origin, size, root: toHex(root), note };
}
