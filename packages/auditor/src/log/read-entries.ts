import {
  type Checkpoint,
  consistencyPlan,
  Frontier,
  parseCheckpoint,
  planNodes,
  readNodesFromTiles,
  resolvePlan,
  type SignedCheckpoint,
  splitEntries,
  TILE_WIDTH,
  type TileId,
  tilePath,
  tileWidth,
  verifyConsistency,
} from '@countersign/proof-kit';
import { equalBytes } from '@countersign/proof-kit/bytes';
import { sha256Bytes } from '../sha256-bytes.ts';
import { Forked } from './forked.ts';
import { getBytes, Missing } from './get.ts';

/** An entry of a head log: the signed checkpoint of a chain, with its index. */
export interface LogEntry {
  place: number;
  note: string;
  checkpoint: SignedCheckpoint;
}

export type ReadTile = (tile: TileId) => Promise<Uint8Array>;

/** Fetches tiles of a log, each once. A closed log has another path than the current one. */
export function tileReader(url: string, size: number, served = 'log'): ReadTile {
  const fetched = new Map<string, Promise<Uint8Array>>();
  return (tile) => {
    const path = tilePath(tile);
    const known = fetched.get(path) ?? fetchTile(`${url}/${served}`, tile, size);
    // Bundles of entries are read once, in order, so they are not cached.
    if (tile.level !== 'entries') fetched.set(path, known);
    return known;
  };
}

async function fetchTile(url: string, tile: TileId, size: number): Promise<Uint8Array> {
  const path = tilePath(tile);
  const bytes = await getBytes(`${url}/${path}`).catch((error: unknown) => {
    if (!(error instanceof Missing)) throw error;
    throw new Forked(`${path} is missing, which a log of ${size} entries has`, []);
  });
  if (tile.level !== 'entries' && bytes.length !== tile.width * 32)
    throw new Forked(`${path} does not hold the ${tile.width} hashes that its name says`, []);
  return bytes;
}

/**
 * Reads the entries that a head adds to the tree read so far, and returns the tree including them. The root is computed from
 * the bytes passed to `take`, so every entry shown is under the signed head. Each of the earlier signed `heads` that is larger
 * than the tree read so far must be the root at its size.
 */
export async function readEntries(
  readTile: ReadTile,
  before: Frontier,
  head: SignedCheckpoint,
  heads: readonly Checkpoint[],
  take: (entries: LogEntry[]) => Promise<void>,
): Promise<Frontier> {
  const tree = new Frontier(sha256Bytes, before.state);
  requireRoots(tree, heads);
  for (let index = Math.floor(tree.size / TILE_WIDTH); tree.size < head.size; index++) {
    const width = tileWidth('entries', index, head.size);
    const bundle = splitBundle(await readTile({ level: 'entries', index, width }), index, width);
    const fresh: LogEntry[] = [];
    for (const entry of bundle.slice(tree.size - index * TILE_WIDTH)) {
      fresh.push(parseEntry(entry, tree.size));
      tree.append(entry);
      requireRoots(tree, heads);
    }
    await take(fresh);
  }
  if (tree.size !== head.size || !equalBytes(tree.root(), head.root))
    throw new Forked(unlike(before.size, head.size), []);
  return tree;
}

/** Whether the tiles under a head hold an earlier head. */
export async function holdsHead(readTile: ReadTile, first: Checkpoint, second: Checkpoint): Promise<boolean> {
  const plan = consistencyPlan(first.size, second.size);
  const lookup = await readNodesFromTiles(planNodes(plan), second.size, readTile, sha256Bytes);
  const proof = resolvePlan(plan, lookup, sha256Bytes);
  return verifyConsistency({ first, second, proof }, sha256Bytes);
}

function unlike(before: number, now: number): string {
  if (before === 0) return 'the entries of the log are not those that its head was signed for';
  return `the log of ${now} entries does not hold the one of ${before} that was signed, or it shows other entries`;
}

function requireRoots(tree: Frontier, heads: readonly Checkpoint[]): void {
  for (const { size, root } of heads) {
    if (size === tree.size && !equalBytes(tree.root(), root))
      throw new Forked(`the log does not hold the ${size} entries that were signed before`, []);
  }
}

function splitBundle(bytes: Uint8Array, index: number, width: number): Uint8Array[] {
  let entries: Uint8Array[];
  try {
    entries = splitEntries(bytes);
  } catch {
    entries = [];
  }
  if (entries.length !== width)
    throw new Forked(`entries of the log are missing from ${index * TILE_WIDTH} on`, []);
  return entries;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseEntry(entry: Uint8Array, place: number): LogEntry {
  try {
    const note = strictUtf8.decode(entry);
    return { place, note, checkpoint: parseCheckpoint(note) };
  } catch {
    throw new Forked(`entry ${place} of the log is not a checkpoint`, [Buffer.from(entry).toString('utf8')]);
  }
}
