/** Verifies the head log in the database: every entry against its checkpoint, every tile and head against the entries. */

import { type FullTile, LogEdge, parseOrigin } from '@countersign/proof-kit';
import type { Queryable } from '../../../db/database.ts';
import { type RowOf, sql } from '../../../db/sql.ts';
import { sha256Bytes } from '../../../lib/crypto.ts';
import { CLOSED_LOGS, isSignedClosing } from '../log/closed-logs.ts';
import { logLeaf } from '../log/current-log.ts';
import { LOG_TILE } from '../log/tiles.ts';
import { parseStoredClosing, type StoredClosing } from '../notes/closing.ts';
import { signedBy, tryParse, type VerifyingRing } from '../notes/signatures.ts';
import type { LedgerSource } from './source.ts';

const PAGE = 2_000;

/** The number of entries in the log, and its first fault. */
interface LogReport {
  entries: number;
  fault: string | null;
}

/** Reads the whole log in pages and recomputes its tiles and roots in this process, not in the database. */
export async function walkHeadLog(source: LedgerSource): Promise<LogReport> {
  return source.snapshot(async (db) => {
    let entries = 0;
    try {
      const ring = await source.ring();
      const closed = await readClosings(db, ring);
      const heads: HeadRow[] = [];
      const newest: Newest = new Map();
      for (let log = 1; log <= closed.length + 1; log++) {
        const edge = new LogEdge(0, [], sha256Bytes);
        const own = await readHeads(db, log);
        await walk(db, { log, edge, heads: own, newest }, ring);
        entries += edge.size;
        heads.push(...own.values());
        const closing = closed[log - 1];
        if (!closing) continue;
        if (closing.head !== null) heads.push(compareClosingHead(closing.head, edge, ring));
        // Only chains whose loss was accepted may continue from a smaller size.
        for (const { origin } of closing.chains) newest.delete(origin);
      }
      await compareFile(source, heads);
      return { entries, fault: null };
    } catch (error) {
      if (error instanceof LogFault || (error as Error).name === 'SigningRefused')
        return { entries, fault: (error as Error).message };
      throw error;
    }
  });
}

type Newest = Map<string, { size: number; rootHash: string }>;

/** The closings of logs. Each must be signed by a key of the service and follow its predecessor. */
async function readClosings(db: Queryable, ring: VerifyingRing): Promise<StoredClosing[]> {
  const rows = await CLOSED_LOGS.rows(db, {});
  let origin: string | null = null;
  return rows.map(({ statement }, i) => {
    const parsed = parseStoredClosing(statement);
    const from = parsed?.origin ?? '';
    if (!parsed || !isSignedClosing(parsed.note, from, ring) || (origin !== null && origin !== from))
      throw new LogFault(`the statement that closed log ${i + 1} is not signed by a key of the key history`);
    origin = parsed.successor;
    return parsed;
  });
}

/** The last known head of a closed log. The entries that still exist must be consistent with it. */
function compareClosingHead(note: string, edge: LogEdge, ring: VerifyingRing): HeadRow {
  const head = tryParse(note);
  if (!head || signedBy(head, ring) !== 'service')
    throw new LogFault('the last head of a closed log is not signed by a key of the key history');
  const rootHash = Buffer.from(head.root).toString('hex');
  if (head.size === edge.size && Buffer.from(edge.root()).toString('hex') !== rootHash)
    throw new LogFault(`the last head of ${head.origin} is not that of its entries`);
  return { size: head.size, rootHash, note };
}

class LogFault extends Error {}

interface WalkedLog {
  log: number;
  edge: LogEdge;
  heads: Map<number, HeadRow>;
  /** The newest checkpoint of each chain in this log and its predecessors. */
  newest: Newest;
}

const WALK_LOG_ENTRIES = sql('walk_log_entries', {
  place: 'float8',
  note: 'text',
  /** Null, like `rootHash`, for an entry that was restored from a file. */
  size: 'int?',
  rootHash: 'text?',
  /** The name of the chain that the checkpoint belongs to; null if the chain is missing. */
  origin: 'text?',
})`
  SELECT entry.place::float8, note, size, "rootHash", origin FROM (
    (SELECT k.log_index AS place, k.note, k.size, k.root_hash AS "rootHash", c.origin
     FROM checkpoint k LEFT JOIN ledger_chain c ON c.id = k.chain_id
     WHERE k.log = $log AND k.log_index >= $size ORDER BY k.log_index LIMIT ${PAGE})
    UNION ALL
    (SELECT log_index, note, NULL, NULL, NULL FROM closed_log_entry
     WHERE log = $log AND log_index >= $size ORDER BY log_index LIMIT ${PAGE})) entry
  ORDER BY entry.place LIMIT ${PAGE}`;

async function walk(db: Queryable, { log, edge, heads, newest }: WalkedLog, ring: VerifyingRing) {
  let covered = 0;
  for (;;) {
    const rows = await WALK_LOG_ENTRIES.rows(db, { size: edge.size, log });
    for (const row of rows) {
      if (row.place !== edge.size) throw new LogFault(`entry ${edge.size} of the log is missing`);
      compareEntry(row, newest);
      for (const tile of edge.append([logLeaf(row.note)])) await compareTile(db, log, tile);
      const head = heads.get(edge.size);
      if (!head) continue;
      compareHead(head, edge, ring);
      covered = edge.size;
    }
    if (rows.length < PAGE) break;
  }
  const largest = Math.max(0, ...heads.keys());
  if (largest > covered)
    throw new LogFault(`a head of the log covers ${largest} entries, of which ${edge.size} are there`);
}

/**
 * An entry must be the checkpoint of its row and of the chain with that name, and no chain may have two histories in the log.
 */
function compareEntry(
  { place, note, size, rootHash, origin }: RowOf<typeof WALK_LOG_ENTRIES>,
  newest: Newest,
): void {
  const entry = tryParse(note);
  if (!entry) throw new LogFault(`entry ${place} of the log is not a checkpoint`);
  if (size === null || rootHash === null) return;
  if (entry.origin !== origin)
    throw new LogFault(
      `entry ${place} of the log is about ${entry.origin}, its checkpoint belongs to ${origin ?? 'no chain'}`,
    );
  if (entry.size !== size || Buffer.from(entry.root).toString('hex') !== rootHash)
    throw new LogFault(`entry ${place} of the log is not the checkpoint that the table has`);
  const before = newest.get(entry.origin);
  if (before && (before.size > size || (before.size === size && before.rootHash !== rootHash)))
    throw new LogFault(`entry ${place} of the log contradicts an earlier checkpoint of ${entry.origin}`);
  newest.set(entry.origin, { size, rootHash });
}

async function compareTile(
  db: Queryable,
  log: number,
  { level, index, hashes, root }: FullTile,
): Promise<void> {
  const [stored] = await LOG_TILE.rows(db, { level, index, log });
  if (!stored || Buffer.compare(stored.hashes, hashes) !== 0 || Buffer.compare(stored.root, root) !== 0)
    throw new LogFault(`tile ${level}/${index} of the log is not that of its entries`);
}

const HEADS = sql('heads_of_log', { size: 'float8', rootHash: 'text', note: 'text' })`
  SELECT size::float8, root_hash AS "rootHash", note FROM log_head WHERE log = $log`;
type HeadRow = RowOf<typeof HEADS>;

async function readHeads(db: Queryable, log: number): Promise<Map<number, HeadRow>> {
  const rows = await HEADS.rows(db, { log });
  return new Map(rows.map((row) => [row.size, row]));
}

function compareHead({ size, rootHash, note }: HeadRow, edge: LogEdge, ring: VerifyingRing): void {
  const head = tryParse(note);
  const root = Buffer.from(edge.root()).toString('hex');
  const isRight = head?.size === size && Buffer.from(head.root).toString('hex') === root && rootHash === root;
  if (!isRight) throw new LogFault(`the head of ${size} entries is not that of the entries in the log`);
  if (signedBy(head, ring) !== 'service')
    throw new LogFault(`the head of ${size} entries is not signed by a key of the key history`);
}

/** The largest head in the file outside the database must be in the table. */
async function compareFile({ file }: LedgerSource, heads: readonly HeadRow[]): Promise<void> {
  for (const origin of file.origins()) {
    if (parseOrigin(origin)?.chain !== null) continue;
    const filed = file.find(origin)!;
    const line = await file.read(filed);
    const isStored = ({ size, note }: HeadRow) =>
      size === filed.size && tryParse(note)?.note.text === line?.checkpoint.note.text;
    if (!line || !heads.some(isStored))
      throw new LogFault(`the file holds a head of ${filed.size} entries that the table does not have`);
  }
}
