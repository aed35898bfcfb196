/** The head log as the database has it: every entry against its checkpoint, every tile and every head against the entries. */
import { LogEdge } from '@countersign/proof-kit';
import { sha256Bytes } from '../../../lib/crypto.ts';
import { logLeaf } from '../checkpoints/log/edge.ts';
import type { Queryable } from '../checkpoints/queryable.ts';
import { signedBy, tryParse, type VerifyingRing } from '../checkpoints/signatures.ts';
import type { LedgerSource } from './source.ts';

const PAGE = 2_000;

interface EntryRow {
  place: string;
  note: string;
  size: number;
  rootHash: string;
  /** The name of the chain that the checkpoint belongs to; null where it is gone. */
  origin: string | null;
}

interface HeadRow {
  size: string;
  rootHash: string;
  note: string;
}

/** How many entries the log has, and the first thing that is wrong with it. */
export interface LogReport {
  entries: number;
  fault: string | null;
}

/** Reads the whole log in pages and computes its tiles and roots anew, here and not in the database. */
export async function walkHeadLog(source: LedgerSource): Promise<LogReport> {
  return source.snapshot(async (db) => {
    const edge = new LogEdge(0, [], sha256Bytes);
    const heads = await readHeads(db);
    try {
      const ring = await source.ring();
      await walk(db, edge, heads, ring);
      await compareFile(source, heads);
      return { entries: edge.size, fault: null };
    } catch (error) {
      if (error instanceof LogFault || (error as Error).name === 'SigningRefused')
        return { entries: edge.size, fault: (error as Error).message };
      throw error;
    }
  });
}

class LogFault extends Error {}

async function walk(db: Queryable, edge: LogEdge, heads: Map<number, HeadRow>, ring: VerifyingRing) {
  const newest = new Map<string, { size: number; rootHash: string }>();
  let covered = 0;
  for (;;) {
    const { rows } = await db.query<EntryRow>({
      name: 'walk_log_entries',
      text: `SELECT k.log_index AS place, k.note, k.size, k.root_hash AS "rootHash", c.origin
             FROM checkpoint k LEFT JOIN ledger_chain c ON c.id = k.chain_id
             WHERE k.log_index >= $1 ORDER BY k.log_index LIMIT ${PAGE}`,
      values: [edge.size],
    });
    for (const row of rows) {
      if (Number(row.place) !== edge.size) throw new LogFault(`entry ${edge.size} of the log is missing`);
      compareEntry(row, newest);
      for (const tile of edge.append([logLeaf(row.note)])) await compareTile(db, tile);
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

/** An entry is the checkpoint of the row, of the chain by that name, and no chain has two histories in the log. */
function compareEntry(
  { place, note, size, rootHash, origin }: EntryRow,
  newest: Map<string, { size: number; rootHash: string }>,
): void {
  const entry = tryParse(note);
  if (!entry) throw new LogFault(`entry ${place} of the log is not a checkpoint`);
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
  { level, index, hashes, root }: { level: number; index: number; hashes: Uint8Array; root: Uint8Array },
): Promise<void> {
  const { rows } = await db.query<{ hashes: Buffer; root: Buffer }>({
    name: 'walk_log_tile',
    text: 'SELECT hashes, root FROM log_tile WHERE level = $1 AND index = $2',
    values: [level, index],
  });
  const stored = rows[0];
  if (!stored || Buffer.compare(stored.hashes, hashes) !== 0 || Buffer.compare(stored.root, root) !== 0)
    throw new LogFault(`tile ${level}/${index} of the log is not that of its entries`);
}

async function readHeads(db: Queryable): Promise<Map<number, HeadRow>> {
  const { rows } = await db.query<HeadRow>('SELECT size, root_hash AS "rootHash", note FROM log_head');
  return new Map(rows.map((row) => [Number(row.size), row]));
}

function compareHead({ size, rootHash, note }: HeadRow, edge: LogEdge, ring: VerifyingRing): void {
  const head = tryParse(note);
  const root = Buffer.from(edge.root()).toString('hex');
  const isRight =
    head?.size === Number(size) && Buffer.from(head.root).toString('hex') === root && rootHash === root;
  if (!isRight) throw new LogFault(`the head of ${size} entries is not that of the entries in the log`);
  if (signedBy(head, ring) !== 'service')
    throw new LogFault(`the head of ${size} entries is not signed by a key of the key history`);
}

/** The largest head in the file outside the database must be among those of the table. */
async function compareFile({ file }: LedgerSource, heads: Map<number, HeadRow>): Promise<void> {
  for (const origin of file.origins()) {
    if (!origin.endsWith('/log')) continue;
    const filed = file.find(origin)!;
    const line = await file.read(filed);
    const stored = heads.get(filed.size);
    if (!line || !stored || tryParse(stored.note)?.note.text !== line.checkpoint.note.text)
      throw new LogFault(`the file holds a head of ${filed.size} entries that the table does not have`);
  }
}
