/** The Merkle root of records that are read one after another, in logarithmic memory. */
import { leafHash, nodeHash } from './merkle.ts';
import { type Digest, sha256 } from './sha256.ts';

/** The stored form of a frontier. */
interface FrontierState {
  size: number;
  /** The roots of the complete subtrees, largest first: one for each bit of `size`. */
  subtrees: readonly Uint8Array[];
}

export class Frontier {
  readonly #digest: Digest;
  /** The complete subtrees of the tree so far, largest first; their sizes are the bits of `size`. */
  readonly #subtrees: Uint8Array[];
  #size: number;

  constructor(digest: Digest = sha256, { size, subtrees }: FrontierState = { size: 0, subtrees: [] }) {
    const bits = size.toString(2).replaceAll('0', '').length;
    if (!Number.isSafeInteger(size) || size < 0 || subtrees.length !== bits)
      throw new RangeError(`these subtrees do not make up a tree of ${size} leaves`);
    this.#digest = digest;
    this.#subtrees = [...subtrees];
    this.#size = size;
  }

  get state(): FrontierState {
    return { size: this.#size, subtrees: [...this.#subtrees] };
  }

  get size(): number {
    return this.#size;
  }

  append(recordHashBytes: Uint8Array): void {
    let node = leafHash(recordHashBytes, this.#digest);
    // Each trailing one bit of the old size is a subtree that the new leaf completes to the next larger one.
    for (let rest = this.#size; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      node = nodeHash(this.#subtrees.pop()!, node, this.#digest);
    }
    this.#subtrees.push(node);
    this.#size++;
  }

  root(): Uint8Array {
    if (this.#subtrees.length === 0) return this.#digest(new Uint8Array());
    return this.#subtrees.reduceRight((right, left) => nodeHash(left, right, this.#digest));
  }
}
