import { hash } from 'node:crypto';
import {
  consistencyPlan,
  growTree,
  inclusionPlan,
  joinEntries,
  LogEdge,
  leafHash,
  parseTilePath,
  planNodes,
  readNodesFromTiles,
  resolvePlan,
  splitEntries,
  type TileId,
  tilePath,
  tileWidth,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from '@countersign/proof-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const digest = (bytes: Uint8Array) => new Uint8Array(hash('sha256', bytes, 'buffer'));
const SIZE = 70_000;
const entries = Array.from({ length: SIZE }, (_, i) => Buffer.from(`entry ${i}`));
const leaves = entries.map((entry) => leafHash(entry, digest));
const none = () => {
  throw new Error('nothing is stored');
};
const nodes = new Map(
  growTree(0, entries, none, digest).map(({ level, index, hash }) => [`${level}/${index}`, hash]),
);
const lookup = (level: number, index: number) => nodes.get(`${level}/${index}`)!;
const rootAt = (size: number) => treeRoot(size, lookup, digest);

/** A tile as the specification defines it, from the tree itself. */
function tileOf({ level, index, width }: TileId): Uint8Array {
  const hashes = Array.from({ length: width }, (_, i) => lookup(Number(level) * 8, index * 256 + i));
  return Buffer.concat(hashes);
}

describe('the edge of a log', () => {
  it('has the root of the tree after every batch, and fills the specified tiles', () => {
    const edge = new LogEdge(0, [], digest);
    const filled = new Map<string, Uint8Array>();
    let at = 0;
    for (const step of [1, 1, 253, 1, 1, 255, 1, 4_000, 60_000, 5_487]) {
      for (const tile of edge.append(leaves.slice(at, at + step)))
        filled.set(`${tile.level}/${tile.index}`, tile.hashes);
      at += step;
      expect(Buffer.from(edge.root()).equals(rootAt(at))).toBe(true);
    }
    expect(edge.size).toBe(SIZE);
    // The example of the specification: 273 full tiles on level 0, one on level 1.
    expect(filled.size).toBe(274);
    for (const [place, hashes] of filled) {
      const [level, index] = place.split('/').map(Number);
      expect(Buffer.from(hashes).equals(tileOf({ level: level!, index: index!, width: 256 }))).toBe(true);
    }
    expect([tileWidth(0, 273, SIZE), tileWidth(1, 1, SIZE), tileWidth(2, 0, SIZE)]).toEqual([112, 17, 1]);
    expect([tileWidth(0, 274, SIZE), tileWidth(1, 0, 256), tileWidth(3, 0, SIZE)]).toEqual([0, 1, 0]);
  });

  it('resumes from its partial tiles, and rejects tiles of another size', () => {
    const levels = [0, 1, 2].map((level) => {
      const index = Math.floor(SIZE / 256 ** (level + 1));
      const bytes = tileOf({ level, index, width: tileWidth(level, index, SIZE) });
      return Array.from({ length: bytes.length / 32 }, (_, i) => bytes.subarray(i * 32, i * 32 + 32));
    });
    expect(Buffer.from(new LogEdge(SIZE, levels, digest).root()).equals(rootAt(SIZE))).toBe(true);
    expect(() => new LogEdge(SIZE - 1, levels, digest)).toThrow(RangeError);
    expect(() => new LogEdge(SIZE, levels.slice(0, 2), digest)).toThrow(RangeError);
  });

  it('of an empty log has the hash of the empty string as root', () => {
    expect(Buffer.from(new LogEdge(0, [], digest).root()).toString('hex')).toBe(hash('sha256', ''));
  });
});

describe('proofs from tiles', () => {
  const fetchTile = async (tile: TileId) => tileOf(tile);

  it('are valid for any index and size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: SIZE }), fc.nat(), async (size, pick) => {
        const index = pick % size;
        const inclusion = inclusionPlan(index, size);
        const consistency = consistencyPlan(index, size);
        const read = await readNodesFromTiles(
          planNodes([...inclusion, ...consistency]),
          size,
          fetchTile,
          digest,
        );
        const root = rootAt(size);
        const proof = resolvePlan(inclusion, read, digest);
        expect(verifyInclusion({ leaf: leaves[index]!, index, size, proof, root }, digest)).toBe(true);
        const first = { size: index, root: rootAt(index) };
        const grown = { first, second: { size, root }, proof: resolvePlan(consistency, read, digest) };
        expect(verifyConsistency(grown, digest)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('need at most two tiles per level', async () => {
    const asked: TileId[] = [];
    await readNodesFromTiles(planNodes(inclusionPlan(300, SIZE)), SIZE, async (tile) => {
      asked.push(tile);
      return tileOf(tile);
    });
    expect(asked.length).toBeLessThanOrEqual(6);
  });
});

describe('the path of a tile', () => {
  it.each([
    [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
    [{ level: 1, index: 1_234_067, width: 256 }, 'tile/1/x001/x234/067'],
    [{ level: 0, index: 273, width: 112 }, 'tile/0/273.p/112'],
    [{ level: 'entries' as const, index: 1_000, width: 5 }, 'tile/entries/x001/000.p/5'],
  ])('for %j is %s', (tile, path) => {
    expect(tilePath(tile)).toBe(path);
    expect(parseTilePath(path)).toEqual(tile);
  });

  it.each([
    'tile/0/0',
    'tile/00/000',
    'tile/64/000',
    'tile/0/x000/001',
    'tile/0/x001/x234',
    'tile/0/001.p/0',
    'tile/0/001.p/256',
    'tile/0/001.p/01',
    'tile/0/001/',
    'tile/0/-01',
    'tile/entry/000',
    'tile/0/001?x',
    'tile/0/x999/x999/x999/x999/x999/999',
  ])('cannot be %s', (path) => {
    expect(parseTilePath(path)).toBeNull();
  });
});

describe('a bundle of entries', () => {
  it('is split into the entries that were joined', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 700 }), { maxLength: 256 }), (some) => {
        expect(splitEntries(joinEntries(some)).map((entry) => Buffer.from(entry).toString('hex'))).toEqual(
          some.map((entry) => Buffer.from(entry).toString('hex')),
        );
      }),
    );
  });

  it('is rejected if truncated, and so is an entry that is too long', () => {
    const bundle = joinEntries([Buffer.from('one'), Buffer.from('two')]);
    for (const end of [1, 3, 6, 9]) expect(() => splitEntries(bundle.subarray(0, end))).toThrow(TypeError);
    expect(() => joinEntries([new Uint8Array(65_536)])).toThrow(RangeError);
  });
});
