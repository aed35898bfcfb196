import { type FullTile, LogEdge, leafHash, TILE_WIDTH } from '@countersign/proof-kit';
import { sha256Bytes } from '../../../../lib/crypto.ts';
import { SigningRefused } from '../keys/refused.ts';
import type { Queryable } from '../queryable.ts';

/** "cs-log" in ASCII, the name of the lock under which the head log grows. */
const LOCK = BigInt('0x63732d6c6f67').toString();

/** Lets one process at a time add to the head log and sign it; ends with the transaction. */
export async function lockLog(db: Queryable): Promise<void> {
  await db.query({ name: 'lock_log', text: 'SELECT pg_advisory_xact_lock($1)', values: [LOCK] });
}

/** How many entries the current log has, signed by a head or not yet. */
export async function logSize(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ size: string }>({
    name: 'log_size',
    text: 'SELECT coalesce(max(log_index) + 1, 0) AS size FROM checkpoint WHERE log = current_log()',
    values: [],
  });
  return Number(rows[0]!.size);
}

export const logLeaf = (note: string): Uint8Array => leafHash(Buffer.from(note), sha256Bytes);

/** The partial tiles of the current log: two or three statements of at most 255 rows, however long it is. */
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

async function lastLeaves(db: Queryable, size: number): Promise<Uint8Array[]> {
  const { rows } = await db.query<{ note: string }>({
    name: 'log_last_leaves',
    text: 'SELECT note FROM checkpoint WHERE log = current_log() AND log_index >= $1 ORDER BY log_index',
    values: [size - (size % TILE_WIDTH)],
  });
  return rows.map(({ note }) => logLeaf(note));
}

/** The hashes of a partial tile above the leaves: the roots of the full tiles below it. */
async function lastRoots(db: Queryable, level: number, size: number): Promise<Uint8Array[]> {
  const { rows } = await db.query<{ root: Buffer }>({
    name: 'log_last_roots',
    text: 'SELECT root FROM log_tile WHERE log = current_log() AND level = $1 AND index >= $2 ORDER BY index',
    values: [level - 1, Math.floor(size / TILE_WIDTH ** (level + 1)) * TILE_WIDTH],
  });
  return rows.map(({ root }) => root);
}

export async function insertTiles(db: Queryable, tiles: FullTile[]): Promise<void> {
  if (tiles.length === 0) return;
  await db.query({
    name: 'insert_log_tiles',
    text: `INSERT INTO log_tile (log, level, index, hashes, root)
           SELECT current_log(), * FROM unnest($1::smallint[], $2::bigint[], $3::bytea[], $4::bytea[])`,
    values: [
      tiles.map(({ level }) => level),
      tiles.map(({ index }) => index),
      tiles.map(({ hashes }) => Buffer.from(hashes)),
      tiles.map(({ root }) => Buffer.from(root)),
    ],
  });
}
