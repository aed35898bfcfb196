import { createHash } from 'node:crypto';
import {
  consistencyPlan,
  type Digest,
  growTree,
  growthInputs,
  inclusionPlan,
  leafHash,
  newNodes,
  planNodes,
  resolvePlan,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from '@countersign/proof-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const digest: Digest = (data) => createHash('sha256').update(data).digest();
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const recordHashes = (count: number) =>
  Array.from({ length: count }, (_, i) => digest(Buffer.from(`record ${i}`)));

/** RFC 9162 2.1.1, 2.1.3.1 and 2.1.4.1 literally, without regard to cost. */
const split = (n: number) => 2 ** Math.ceil(Math.log2(n) - 1);
function naiveRoot(data: Uint8Array[]): Uint8Array {
  if (data.length === 0) return digest(Buffer.alloc(0));
  if (data.length === 1) return digest(Buffer.concat([Buffer.of(0), data[0]!]));
  const k = split(data.length);
  return digest(Buffer.concat([Buffer.of(1), naiveRoot(data.slice(0, k)), naiveRoot(data.slice(k))]));
}
function naivePath(m: number, data: Uint8Array[]): Uint8Array[] {
  if (data.length <= 1) return [];
  const k = split(data.length);
  return m < k
    ? [...naivePath(m, data.slice(0, k)), naiveRoot(data.slice(k))]
    : [...naivePath(m - k, data.slice(k)), naiveRoot(data.slice(0, k))];
}
function naiveSubproof(m: number, data: Uint8Array[], whole: boolean): Uint8Array[] {
  if (m === data.length) return whole ? [] : [naiveRoot(data)];
  const k = split(data.length);
  return m <= k
    ? [...naiveSubproof(m, data.slice(0, k), whole), naiveRoot(data.slice(k))]
    : [...naiveSubproof(m - k, data.slice(k), false), naiveRoot(data.slice(0, k))];
}

/** Stored nodes as in a database; reading an unknown node is an error. */
function storedTree(data: Uint8Array[], batches: number[] = [data.length]) {
  const nodes = new Map<string, Uint8Array>();
  const lookup = (level: number, index: number) => {
    const hash = nodes.get(`${level}/${index}`);
    if (hash === undefined) throw new Error(`node ${level}/${index} is not stored`);
    return hash;
  };
  let size = 0;
  for (const batch of batches) {
    const allowed = new Set(growthInputs(size, size + batch).map((node) => `${node.level}/${node.index}`));
    const restricted = (level: number, index: number) => {
      expect(allowed).toContain(`${level}/${index}`);
      return lookup(level, index);
    };
    const added = growTree(size, data.slice(size, size + batch), restricted, digest);
    for (const node of added) {
      expect(nodes.has(`${node.level}/${node.index}`)).toBe(false);
      nodes.set(`${node.level}/${node.index}`, node.hash);
    }
    size += batch;
  }
  return { nodes, lookup };
}

const MOST = 70;
const data = recordHashes(MOST);
const whole = storedTree(data);

describe('the Merkle tree', () => {
  it('has the root that RFC 9162 defines, at every size', () => {
    for (let size = 0; size <= MOST; size++) {
      expect(hex(treeRoot(size, whole.lookup))).toBe(hex(naiveRoot(data.slice(0, size))));
    }
  });

  it('proves every leaf at every size as RFC 9162 does', () => {
    for (let size = 1; size <= MOST; size++) {
      const root = treeRoot(size, whole.lookup, digest);
      for (let index = 0; index < size; index++) {
        const proof = resolvePlan(inclusionPlan(index, size), whole.lookup, digest);
        if (size % 7 === 0) expect(proof.map(hex)).toEqual(naivePath(index, data.slice(0, size)).map(hex));
        const leaf = leafHash(data[index]!, digest);
        expect(verifyInclusion({ leaf, index, size, proof, root }, digest)).toBe(true);
      }
    }
  });

  it('proves consistency between all sizes as RFC 9162 does', () => {
    for (let second = 0; second <= MOST; second++) {
      for (let first = 0; first <= second; first++) {
        const proof = resolvePlan(consistencyPlan(first, second), whole.lookup, digest);
        if (first > 0 && second % 7 === 0) {
          expect(proof.map(hex)).toEqual(naiveSubproof(first, data.slice(0, second), true).map(hex));
        }
        const trees = {
          first: { size: first, root: treeRoot(first, whole.lookup, digest) },
          second: { size: second, root: treeRoot(second, whole.lookup, digest) },
        };
        expect(verifyConsistency({ ...trees, proof }, digest)).toBe(true);
      }
    }
  });

  it('has the same nodes for any batch sizes', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 9 }), { maxLength: 12 }), (batches) => {
        const size = batches.reduce((sum, batch) => sum + batch, 0);
        const grown = storedTree(recordHashes(size), batches);
        const expected = newNodes(0, size).map((node) => `${node.level}/${node.index}`);
        expect([...grown.nodes.keys()].sort()).toEqual(expected.sort());
        expect(hex(treeRoot(size, grown.lookup))).toBe(hex(naiveRoot(recordHashes(size))));
      }),
    );
  });

  it('reads only a logarithmic number of stored nodes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 52 }), fc.nat(), fc.nat(), (size, a, b) => {
        const depth = Math.ceil(Math.log2(size)) + 1;
        expect(planNodes(inclusionPlan(a % size, size)).length).toBeLessThanOrEqual(2 * depth);
        expect(planNodes(consistencyPlan(b % size, size)).length).toBeLessThanOrEqual(2 * depth);
        expect(growthInputs(size - 1, size).length).toBeLessThanOrEqual(depth);
      }),
    );
  });

  it('proves and verifies in trees beyond 32 bits', () => {
    // With equal leaves a complete node's hash depends only on its level, so a huge tree needs no storage.
    const levels = [leafHash(data[0]!, digest)];
    for (let level = 1; level <= 52; level++) {
      const child = levels[level - 1]!;
      levels.push(digest(Buffer.concat([Buffer.of(1), child, child])));
    }
    const lookup = (level: number) => levels[level]!;
    const size = fc.integer({ min: 2 ** 31, max: 2 ** 52 });
    fc.assert(
      fc.property(size, size, (a, b) => {
        const [first, second] = a < b ? [a, b] : [b, a];
        const root = treeRoot(second, lookup, digest);
        const proof = resolvePlan(inclusionPlan(first - 1, second), lookup, digest);
        const leaf = levels[0]!;
        expect(verifyInclusion({ leaf, index: first - 1, size: second, proof, root }, digest)).toBe(true);
        const growth = resolvePlan(consistencyPlan(first, second), lookup, digest);
        const firstRoot = treeRoot(first, lookup, digest);
        const trees = { first: { size: first, root: firstRoot }, second: { size: second, root } };
        expect(verifyConsistency({ ...trees, proof: growth }, digest)).toBe(true);
      }),
    );
  });

  it('rejects invalid sizes and indexes', () => {
    for (const bad of [-1, 1.5, Number.NaN, 2 ** 53]) {
      expect(() => treeRoot(bad, whole.lookup)).toThrow(RangeError);
      expect(() => inclusionPlan(bad, 5)).toThrow(RangeError);
      expect(() => consistencyPlan(1, bad)).toThrow(RangeError);
    }
    expect(() => inclusionPlan(5, 5)).toThrow(RangeError);
    expect(() => consistencyPlan(6, 5)).toThrow(RangeError);
  });
});

/** Every manipulation of a list of hashes that a forger might try. */
function spoiledProofs(proof: Uint8Array[], extra: Uint8Array): [string, Uint8Array[]][] {
  const spoiled: [string, Uint8Array[]][] = [
    ['an extra hash at the end', [...proof, extra]],
    ['an extra hash at the start', [extra, ...proof]],
    ['an extra empty hash', [...proof, new Uint8Array()]],
  ];
  if (proof.length > 0) {
    spoiled.push(['the last hash cut off', proof.slice(0, -1)]);
    spoiled.push(['the first hash cut off', proof.slice(1)]);
    spoiled.push(['everything cut off', []]);
    spoiled.push(['a hash repeated', [...proof, proof.at(-1)!]]);
  }
  proof.forEach((hash, i) => {
    const flipped = Uint8Array.from(hash);
    flipped[i % 32]! ^= 1;
    spoiled.push([`hash ${i} with a bit flipped`, proof.with(i, flipped)]);
    spoiled.push([`hash ${i} shortened`, proof.with(i, hash.subarray(1))]);
  });
  if (proof.length > 1) spoiled.push(['two hashes swapped', [proof[1]!, proof[0]!, ...proof.slice(2)]]);
  return spoiled;
}

describe('falsified inclusion proofs', () => {
  it.each([1, 2, 3, 5, 7, 8, 13, 16, 33, 64])('are rejected in a tree of %i', (size) => {
    const root = treeRoot(size, whole.lookup, digest);
    const other = digest(Buffer.from('other'));
    for (let index = 0; index < size; index++) {
      const proof = resolvePlan(inclusionPlan(index, size), whole.lookup, digest);
      const good = { leaf: leafHash(data[index]!, digest), index, size, proof, root };
      const verify = (part: Partial<typeof good>) => verifyInclusion({ ...good, ...part }, digest);
      expect(verify({})).toBe(true);
      for (const [name, spoiled] of spoiledProofs(proof, other))
        expect(verify({ proof: spoiled }), name).toBe(false);
      expect(verify({ leaf: other })).toBe(false);
      // Without separate prefixes for leaves and nodes, an inner node could pass as a record.
      expect(verify({ leaf: data[index]! })).toBe(false);
      expect(verify({ root: other })).toBe(false);
      expect(verify({ root: new Uint8Array() })).toBe(false);
      expect(verify({ index: size })).toBe(false);
      expect(verify({ index: -1 })).toBe(false);
      expect(verify({ index: index + 0.5 })).toBe(false);
      expect(verify({ size: 0 })).toBe(false);
      expect(verify({ size: index })).toBe(false);
      for (let wrong = 0; wrong < size; wrong++)
        if (wrong !== index) expect(verify({ index: wrong })).toBe(false);
    }
  });

  it('are rejected when an inner node is presented as a shallower leaf', () => {
    const root = treeRoot(8, whole.lookup, digest);
    const inner = whole.lookup(1, 0);
    const proof = [whole.lookup(1, 1), whole.lookup(2, 1)];
    expect(verifyInclusion({ leaf: inner, index: 0, size: 8, proof, root }, digest)).toBe(false);
  });
});

describe('falsified consistency proofs', () => {
  it.each([
    [1, 2],
    [1, 8],
    [2, 3],
    [3, 7],
    [4, 8],
    [6, 8],
    [7, 8],
    [8, 33],
    [20, 33],
    [32, 64],
    [63, 64],
    [5, 5],
  ])('are rejected from %i to %i', (a, b) => {
    const other = digest(Buffer.from('other'));
    const proof = resolvePlan(consistencyPlan(a, b), whole.lookup, digest);
    const first = { size: a, root: treeRoot(a, whole.lookup, digest) };
    const second = { size: b, root: treeRoot(b, whole.lookup, digest) };
    const good = { first, second, proof };
    const verify = (part: Partial<typeof good>) => verifyConsistency({ ...good, ...part }, digest);
    expect(verify({})).toBe(true);
    for (const [name, spoiled] of spoiledProofs(proof, other))
      expect(verify({ proof: spoiled }), name).toBe(false);
    expect(verify({ first: { ...first, root: other } })).toBe(false);
    expect(verify({ second: { ...second, root: other } })).toBe(false);
    expect(verify({ first: { ...first, size: b + 1 } })).toBe(false);
    expect(verify({ first: { ...first, size: -1 } })).toBe(false);
    expect(verify({ first: { ...first, size: 0 } })).toBe(false);
    expect(verify({ first: second, second: first })).toBe(a === b);
  });

  it('are rejected when they end below the size they claim', () => {
    const first = { size: 4, root: treeRoot(4, whole.lookup, digest) };
    const second = { size: 8, root: treeRoot(8, whole.lookup, digest) };
    const proof = resolvePlan(consistencyPlan(4, 8), whole.lookup, digest);
    expect(verifyConsistency({ first, second, proof }, digest)).toBe(true);
    expect(verifyConsistency({ first, second: { ...second, size: 16 }, proof }, digest)).toBe(false);
  });

  it('are rejected when history was rewritten', () => {
    const rewritten = storedTree([digest(Buffer.from('rewritten')), ...data.slice(1)]);
    const first = { size: 20, root: treeRoot(20, whole.lookup, digest) };
    const second = { size: 33, root: treeRoot(33, rewritten.lookup, digest) };
    for (const { lookup } of [whole, rewritten]) {
      const proof = resolvePlan(consistencyPlan(20, 33), lookup, digest);
      expect(verifyConsistency({ first, second, proof }, digest)).toBe(false);
    }
  });
});
