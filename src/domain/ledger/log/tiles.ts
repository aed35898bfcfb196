import {
  joinEntries,
  type NodeLookup,
  nodesIn,
  type ProofPlan,
  planNodes,
  resolvePlan,
  TILE_WIDTH,
  type TileId,
  tilesOf,
} from '@countersign/proof-kit';
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { sha256Bytes } from '../../../lib/crypto.ts';
import type { LedgerApp } from '../ledger-app.ts';
import { SigningRefused } from '../notes/faults.ts';
import { logLeaf } from './current-log.ts';

/** Full tiles never change. A few megabytes of them are cached for monitors and proofs. */
const TILES_KEPT = 512;
const kept = new WeakMap<LedgerApp, LRUCache<string, Buffer>>();

/**
 * A tile of the log, assembled from stored rows; null if the log is too short. The caller must check that a signed head covers
 * it.
 */
export async function readTile(
  app: LedgerApp,
  db: Queryable,
  log: number,
  tile: TileId,
): Promise<Buffer | null> {
  const cache = kept.get(app) ?? new LRUCache<string, Buffer>({ max: TILES_KEPT });
  kept.set(app, cache);
  const name = tile.width === TILE_WIDTH ? `${log}/${tile.level}/${tile.index}` : null;
  const known = name === null ? undefined : cache.get(name);
  if (known) return known;
  const bytes =
    tile.level === 'entries' ? await readEntries(db, log, tile) : await readHashes(db, log, tile.level, tile);
  if (bytes && name !== null) cache.set(name, bytes);
  return bytes;
}

const LOG_NOTES = sql('log_notes', { note: 'text' })`
  SELECT note FROM (
    SELECT log_index, note FROM checkpoint WHERE log = $log AND log_index >= $from AND log_index < $to
    UNION ALL
    SELECT log_index, note FROM closed_log_entry WHERE log = $log AND log_index >= $from AND log_index < $to) entry
  ORDER BY log_index`;

/** Entries restored from a file are stored in their own table. */
async function readNotes(db: Queryable, log: number, { index, width }: TileId): Promise<string[] | null> {
  const first = index * TILE_WIDTH;
  const rows = await LOG_NOTES.rows(db, { from: first, to: first + width, log });
  return rows.length === width ? rows.map(({ note }) => note) : null;
}

async function readEntries(db: Queryable, log: number, tile: TileId): Promise<Buffer | null> {
  const notes = await readNotes(db, log, tile);
  return notes && Buffer.from(joinEntries(notes.map((note) => Buffer.from(note))));
}

const LOG_ROOTS = sql('log_roots', { root: 'bytea' })`
  SELECT root FROM log_tile WHERE log = $log AND level = $level AND index >= $from AND index < $to ORDER BY index`;

async function readHashes(db: Queryable, log: number, level: number, tile: TileId): Promise<Buffer | null> {
  const full = tile.width === TILE_WIDTH ? await LOG_TILE.rows(db, { log, level, index: tile.index }) : [];
  if (full[0]) return full[0].hashes;
  if (level === 0) {
    const notes = await readNotes(db, log, tile);
    return notes && Buffer.concat(notes.map(logLeaf));
  }
  const first = tile.index * TILE_WIDTH;
  const rows = await LOG_ROOTS.rows(db, { level: level - 1, from: first, to: first + tile.width, log });
  return rows.length === tile.width ? Buffer.concat(rows.map(({ root }) => root)) : null;
}

/** A stored full tile. */
export const LOG_TILE = sql('log_tile', { hashes: 'bytea', root: 'bytea' })`
  SELECT hashes, root FROM log_tile WHERE log = $log AND level = $level AND index = $index`;

/** A log by its number, at a given size. */
export interface LogSize {
  log: number;
  size: number;
}

/** Nodes of the log's tree at a size, for a root or a proof. Throws if the tiles do not hold them. */
async function logNodes(
  app: LedgerApp,
  db: Queryable,
  plan: ProofPlan,
  { log, size }: LogSize,
): Promise<NodeLookup> {
  const tiles = new Map<string, Uint8Array>();
  // Sequential, because a transaction has only one connection.
  for (const tile of tilesOf(planNodes(plan), size)) {
    const bytes = await readTile(app, db, log, tile);
    if (!bytes) throw new SigningRefused(`tile ${tile.level}/${tile.index} of the head log is missing`);
    tiles.set(`${tile.level}/${tile.index}`, bytes);
  }
  return nodesIn(tiles, sha256Bytes);
}

/** The hashes of a proof in the log's tree at a size. */
export async function proveInLog(
  app: LedgerApp,
  db: Queryable,
  plan: ProofPlan,
  at: LogSize,
): Promise<Uint8Array[]> {
  return resolvePlan(plan, await logNodes(app, db, plan, at), sha256Bytes);
}
