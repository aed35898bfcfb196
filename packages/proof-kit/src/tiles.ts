/**
 * C2SP tiled logs (c2sp.org/tlog-tiles): a Merkle tree as tiles of up to 256 neighboring hashes, eight tree levels apart. A
 * full tile never changes; every root and proof can be computed from the tiles.
 */
import { concatBytes } from './bytes.ts';
import { type NodeLookup, nodeHash } from './merkle.ts';
import type { NodeId } from './merkle-plan.ts';
import { type Digest, sha256 } from './sha256.ts';

export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;
export const HASH_BYTES = 32;
const MAX_LEVEL = 63;
const MAX_ENTRY_BYTES = 0xffff;

export interface TileId {
  /** The kind of tile: hashes at a level, counted in tiles, or the entries themselves. */
  level: number | 'entries';
  index: number;
  /** 256 for a full tile. */
  width: number;
}

function indexPath(index: number): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g)!;
  return groups.map((group, i) => (i === groups.length - 1 ? group : `x${group}`)).join('/');
}

/** The path of a tile below that of its log, such as `tile/0/x001/067.p/5`. */
export function tilePath({ level, index, width }: TileId): string {
  return `tile/${level}/${indexPath(index)}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

const TILE_PATH = /^tile\/(entries|0|[1-9]\d?)\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** Null for anything but the canonical path of a tile. */
export function parseTilePath(path: string): TileId | null {
  const parts = TILE_PATH.exec(path);
  if (!parts) return null;
  const level = parts[1] === 'entries' ? 'entries' : Number(parts[1]);
  const index = Number(parts[2]!.replaceAll(/[x/]/g, ''));
  const width = parts[3] === undefined ? TILE_WIDTH : Number(parts[3]);
  if ((level !== 'entries' && level > MAX_LEVEL) || !Number.isSafeInteger(index)) return null;
  if (parts[3] !== undefined && width >= TILE_WIDTH) return null;
  const tile: TileId = { level, index, width };
  return tilePath(tile) === path ? tile : null;
}

/** How many hashes of a tile a tree of a given size has; 0 if the tile does not exist. */
export function tileWidth(level: number | 'entries', index: number, size: number): number {
  const hashes = level === 'entries' ? size : Math.floor(size / TILE_WIDTH ** level);
  return Math.max(0, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH));
}

/** The location of a complete node's hash: the tile, and the range of hashes in it. */
function placeOf({ level, index }: NodeId): { level: number; index: number; first: number; count: number } {
  const tileLevel = Math.floor(level / TILE_HEIGHT);
  const count = 2 ** (level % TILE_HEIGHT);
  const first = index * count;
  return { level: tileLevel, index: Math.floor(first / TILE_WIDTH), first: first % TILE_WIDTH, count };
}

/** The tiles that hold the given nodes of a tree, each once. */
export function tilesOf(nodes: readonly NodeId[], size: number): TileId[] {
  const tiles = new Map<string, TileId>();
  for (const node of nodes) {
    const { level, index } = placeOf(node);
    tiles.set(`${level}/${index}`, { level, index, width: tileWidth(level, index, size) });
  }
  return [...tiles.values()];
}

function subtreeRoot(hashes: Uint8Array[], digest: Digest): Uint8Array {
  let row = hashes;
  while (row.length > 1) {
    const above: Uint8Array[] = [];
    for (let i = 0; i < row.length; i += 2) above.push(nodeHash(row[i]!, row[i + 1]!, digest));
    row = above;
  }
  return row[0]!;
}

export function splitTile(bytes: Uint8Array): Uint8Array[] {
  if (bytes.length % HASH_BYTES !== 0 || bytes.length === 0 || bytes.length > TILE_WIDTH * HASH_BYTES)
    throw new TypeError('a tile holds 1 to 256 hashes of 32 bytes');
  const hashes: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += HASH_BYTES) hashes.push(bytes.subarray(at, at + HASH_BYTES));
  return hashes;
}

/** Reads nodes from fetched tiles; throws for a node that none of them holds. */
export function nodesIn(tiles: ReadonlyMap<string, Uint8Array>, digest: Digest = sha256): NodeLookup {
  return (level, index) => {
    const place = placeOf({ level, index });
    const bytes = tiles.get(`${place.level}/${place.index}`);
    const end = (place.first + place.count) * HASH_BYTES;
    if (!bytes || bytes.length < end) throw new RangeError(`no tile holds node ${level}/${index}`);
    return subtreeRoot(splitTile(bytes.subarray(place.first * HASH_BYTES, end)), digest);
  };
}

/** Fetches the tiles of the nodes in parallel and reads the nodes. */
export async function readNodesFromTiles(
  nodes: readonly NodeId[],
  size: number,
  fetchTile: (tile: TileId) => Promise<Uint8Array>,
  digest: Digest = sha256,
): Promise<NodeLookup> {
  const tiles = tilesOf(nodes, size);
  const fetched = await Promise.all(tiles.map(fetchTile));
  const byPlace = tiles.map(({ level, index }, i) => [`${level}/${index}`, fetched[i]!] as const);
  return nodesIn(new Map(byPlace), digest);
}

/** Entries as a bundle: each prefixed with its length in two bytes. */
export function joinEntries(entries: readonly Uint8Array[]): Uint8Array {
  const parts = entries.flatMap((entry) => {
    if (entry.length > MAX_ENTRY_BYTES) throw new RangeError('an entry has at most 65,535 bytes');
    return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry];
  });
  return concatBytes(...parts);
}

export function splitEntries(bundle: Uint8Array): Uint8Array[] {
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bundle.length; ) {
    const length = bundle[at]! * 256 + (bundle[at + 1] ?? Number.NaN);
    const end = at + 2 + length;
    if (!(end <= bundle.length)) throw new TypeError('the bundle of entries is cut short');
    entries.push(bundle.subarray(at + 2, end));
    at = end;
  }
  return entries;
}

export interface FullTile {
  level: number;
  index: number;
  hashes: Uint8Array;
  /** The hash of this tile on the level above. */
  root: Uint8Array;
}

/**
 * The growing edge of a tiled log: the hashes of the partial tiles, one per level. It suffices to append and to compute the
 * root, however long the log is.
 */
export class LogEdge {
  readonly #digest: Digest;
  /** The hashes of the partial tile of each level, lowest first. */
  readonly #levels: Uint8Array[][];
  #size: number;

  constructor(size: number, levels: Uint8Array[][], digest: Digest = sha256) {
    for (let level = 0; level < levels.length || size >= TILE_WIDTH ** level; level++) {
      if ((levels[level]?.length ?? 0) !== Math.floor(size / TILE_WIDTH ** level) % TILE_WIDTH)
        throw new RangeError(
          `the partial tile of level ${level} does not belong to a log of ${size} entries`,
        );
    }
    this.#digest = digest;
    this.#levels = levels.map((hashes) => [...hashes]);
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds the hashes of leaves; returns the tiles that became full. */
  append(leaves: readonly Uint8Array[]): FullTile[] {
    const full: FullTile[] = [];
    for (const leaf of leaves) {
      let hash = leaf;
      for (let level = 0; ; level++) {
        const partial = this.#levels[level] ?? [];
        this.#levels[level] = partial;
        partial.push(hash);
        if (partial.length < TILE_WIDTH) break;
        this.#levels[level] = [];
        hash = subtreeRoot(partial, this.#digest);
        const index = Math.floor(this.#size / TILE_WIDTH ** (level + 1));
        full.push({ level, index, hashes: concatBytes(...partial), root: hash });
      }
      this.#size++;
    }
    return full;
  }

  root(): Uint8Array {
    const peaks = this.#levels.toReversed().flatMap((hashes) => this.#peaks(hashes));
    if (peaks.length === 0) return this.#digest(new Uint8Array());
    return peaks.reduceRight((right, left) => nodeHash(left, right, this.#digest));
  }

  /** The roots of the largest complete subtrees over neighboring hashes, largest first. */
  #peaks(hashes: Uint8Array[]): Uint8Array[] {
    const peaks: Uint8Array[] = [];
    for (let at = 0, width = TILE_WIDTH / 2; at < hashes.length; width /= 2) {
      if (at + width > hashes.length) continue;
      peaks.push(subtreeRoot(hashes.slice(at, at + width), this.#digest));
      at += width;
    }
    return peaks;
  }
}
