// The current head log in the database: its lock, its size, its partial tiles and its newest head.

import { type FullTile, LogEdge, leafHash, TILE_WIDTH } from '@countersign/proof-kit';
import type { Queryable } from '../../../db/database.ts';
import { type RowOf, sql } from '../../../db/sql.ts';
import { sha256Bytes } from '../../../lib/crypto.ts';
import { SigningRefused } from '../notes/faults.ts';

/** "cs-log" in ASCII: the advisory lock under which the head log grows. */
const LOCK = BigInt('0x63732d6c6f67').toString();

const LOCK_LOG = sql('lock_log')`
  SELECT pg_advisory_xact_lock($lock)`;

/** Lets one process at a time append to the head log and sign it. Released at the end of the transaction. */
export async function lockLog(db: Queryable): Promise<void> {
  await LOCK_LOG.run(db, { lock: LOCK });
}

const LOG_SIZE = sql('log_size', { size: 'float8' })`
  SELECT coalesce(max(log_index) + 1, 0)::float8 AS size FROM checkpoint WHERE log = current_log()`;

/** The number of entries in the current log, whether or not a head covers them yet. */
export async function logSize(db: Queryable): Promise<number> {
  const [row] = await LOG_SIZE.rows(db, {});
  return row!.size;
}

export const logLeaf = (note: string): Uint8Array => leafHash(Buffer.from(note), sha256Bytes);

/** The partial tiles of the current log: two or three statements of at most 255 rows, regardless of the log's size. */
export async function readEdge(db: Queryable): Promise<LogEdge> {
  const size = await logSize(db);
  const levels = [await lastLeaves(db, size)];
  for (let level = 1; size >= TILE_WIDTH ** level; level++) levels.push(await lastRoots(db, level, size));
  try {
    return new LogEdge(size, levels, sha256Bytes);
  } catch (error) {
    throw new SigningRefused('entries or tiles of the head log are missing', { cause: error });
  }
}

const LOG_LAST_LEAVES = sql('log_last_leaves', { note: 'text' })`
  SELECT note FROM checkpoint WHERE log = current_log() AND log_index >= $from ORDER BY log_index`;

async function lastLeaves(db: Queryable, size: number): Promise<Uint8Array[]> {
  const rows = await LOG_LAST_LEAVES.rows(db, { from: size - (size % TILE_WIDTH) });
  return rows.map(({ note }) => logLeaf(note));
}

const LOG_LAST_ROOTS = sql('log_last_roots', { root: 'bytea' })`
  SELECT root FROM log_tile WHERE log = current_log() AND level = $level AND index >= $from ORDER BY index`;

/** The hashes of a partial tile above the leaves: the roots of the full tiles below it. */
async function lastRoots(db: Queryable, level: number, size: number): Promise<Uint8Array[]> {
  const rows = await LOG_LAST_ROOTS.rows(db, {
    level: level - 1,
    from: Math.floor(size / TILE_WIDTH ** (level + 1)) * TILE_WIDTH,
  });
  return rows.map(({ root }) => root);
}

const INSERT_LOG_TILES = sql('insert_log_tiles')`
  INSERT INTO log_tile (log, level, index, hashes, root)
  SELECT current_log(), * FROM unnest($levels::smallint[], $indexes::bigint[], $hasheses::bytea[], $roots::bytea[])`;

export async function insertTiles(db: Queryable, tiles: FullTile[]): Promise<void> {
  if (tiles.length === 0) return;
  await INSERT_LOG_TILES.run(db, {
    levels: tiles.map(({ level }) => level),
    indexes: tiles.map(({ index }) => index),
    hasheses: tiles.map(({ hashes }) => Buffer.from(hashes)),
    roots: tiles.map(({ root }) => Buffer.from(root)),
  });
}

export const HEAD_ROW = {
  log: 'int',
  size: 'float8',
  /** In hex. */
  rootHash: 'text',
  /** Signed by this service, without the cosignatures of witnesses. */
  note: 'text',
  createdAt: 'timestamptz',
} as const;

/** A signed state of a head log. */
export type Head = RowOf<typeof HEAD_ROW>;

export const HEAD_COLUMNS = `h.log, h.size::float8, h.root_hash AS "rootHash", h.note, h.created_at AS "createdAt"`;

const NEWEST_HEAD = sql('newest_head', HEAD_ROW)`
  SELECT ${HEAD_COLUMNS} FROM log_head h WHERE h.log = current_log() ORDER BY h.size DESC LIMIT 1`;

export async function newestHead(db: Queryable): Promise<Head | null> {
  const [head] = await NEWEST_HEAD.rows(db, {});
  return head ?? null;
}
