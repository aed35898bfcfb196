import {
  consistencyPlan,
  type Inclusion,
  inclusionPlan,
  keyNameFor,
  type PublishedClosing,
  type TileId,
  tileWidth,
  toHex,
  verifyInclusion,
} from '@countersign/proof-kit';
import type { Queryable } from '../../../db/database.ts';
import type { Checkpoint } from '../../../db/generated/prisma/client.ts';
import { sql } from '../../../db/sql.ts';
import { sha256Bytes } from '../../../lib/crypto.ts';
import { readKeyring } from '../keys/ring.ts';
import { acrossChains, type LedgerApp } from '../ledger-app.ts';
import type { PublishedStatement } from '../notes/closing.ts';
import { SigningRefused } from '../notes/faults.ts';
import { tryParse } from '../notes/signatures.ts';
import { prove } from '../tree/nodes.ts';
import { readLogs } from './closed-logs.ts';
import { HEAD_COLUMNS, HEAD_ROW, type Head, logLeaf, newestHead } from './current-log.ts';
import { proveInLog, readTile } from './tiles.ts';

/** How long a new head waits for its witnesses before it is published without them. */
const PATIENCE_SECONDS = 2;
/** Signature lines served with a head. Verifiers reject notes with more. */
const MOST_COSIGNATURES = 24;
/** Number of recent heads searched for one with more cosignatures. */
const LOOK_BACK = 500;

const PUBLISHED_HEAD = sql('published_head', HEAD_ROW)`
  SELECT ${HEAD_COLUMNS} FROM log_head h
  WHERE h.log = current_log() AND (
    cardinality($keyIds::text[]) = 0 OR h.created_at < now() - make_interval(secs => ${PATIENCE_SECONDS})
    OR cardinality($keyIds::text[]) = (SELECT count(*) FROM log_cosignature c
         JOIN unnest($keyIds::text[], $names::text[]) AS w(key_id, name) ON w.key_id = c.key_id AND w.name = c.name
         WHERE c.log = h.log AND c.size = h.size))
  ORDER BY h.size DESC LIMIT 1`;

/**
 * The public head with its cosignatures: the newest one that all witnesses have cosigned or that has waited for them long
 * enough. It never goes back to a smaller one.
 */
export async function publishedHead(app: LedgerApp): Promise<Head | null> {
  const { witnesses } = app.config;
  const [head] = await PUBLISHED_HEAD.rows(acrossChains(app), {
    keyIds: witnesses.map(({ keyId }) => keyId),
    names: witnesses.map(({ name }) => name),
  });
  return head ? withCosignatures(acrossChains(app), head) : null;
}

const COSIGNATURES_OF = sql('cosignatures_of', { line: 'text' })`
  SELECT line FROM log_cosignature WHERE log = $log AND size = $size ORDER BY name, key_id LIMIT ${MOST_COSIGNATURES}`;

async function withCosignatures(db: Queryable, head: Head): Promise<Head> {
  const rows = await COSIGNATURES_OF.rows(db, { size: head.size, log: head.log });
  return { ...head, note: head.note + rows.map(({ line }) => line).join('') };
}

/**
 * A tile covered by a signed head; null otherwise. Witnesses read a head's tiles before they cosign it, so tiles are available
 * before the head is published.
 */
export async function signedTile(app: LedgerApp, tile: TileId): Promise<Buffer | null> {
  const head = await newestHead(acrossChains(app));
  if (!head || tileWidth(tile.level, tile.index, head.size) < tile.width) return null;
  return readTile(app, acrossChains(app), head.log, tile);
}

/** The last known head of a closed log, with its known cosignatures; null for any other log number. */
export async function closedHead(app: LedgerApp, number: number): Promise<string | null> {
  const db = acrossChains(app);
  const { closed } = await readLogs(app, db, () => readKeyring(app));
  const note = closed[number - 1]?.head;
  const head = note ? tryParse(note) : null;
  if (!note || !head) return null;
  const rootHash = toHex(head.root);
  const stored = { log: number, size: head.size, rootHash, note, createdAt: new Date(0) };
  // A head restored from a witness or a file may already carry cosignatures.
  return head.note.signatures.some(({ name }) => name !== keyNameFor(head.origin))
    ? note
    : (await withCosignatures(db, stored)).note;
}

/** A tile of a closed log under its last head. Null if the database lost its entries and no file had them. */
export async function closedTile(app: LedgerApp, number: number, tile: TileId): Promise<Buffer | null> {
  const head = tryParse((await closedHead(app, number)) ?? '');
  if (!head || tileWidth(tile.level, tile.index, head.size) < tile.width) return null;
  return readTile(app, acrossChains(app), number, tile);
}

/**
 * Proves that an entry is in the head log, under the newest of the heads with the most cosignatures. Throws SigningRefused if
 * the log does not hold the entry; in that case signing stops as well.
 */
export async function headInclusion(
  app: LedgerApp,
  { log, logIndex, note }: Pick<Checkpoint, 'log' | 'logIndex' | 'note'>,
): Promise<Inclusion | null> {
  const db = acrossChains(app);
  const index = Number(logIndex);
  const head = await headCovering(app, log, index);
  if (!head) return null;
  const signed = tryParse(head.note);
  if (signed?.size !== head.size) throw new SigningRefused('a head of the log is not what was signed');
  const { size, root } = signed;
  const hashes = await proveInLog(app, db, inclusionPlan(index, size), { log, size });
  if (!verifyInclusion({ leaf: logLeaf(note), index, size, proof: hashes, root }, sha256Bytes))
    throw new SigningRefused(`entry ${index} of the head log is not the one under its head`);
  return { leafIndex: index, treeSize: head.size, hashes: hashes.map(toHex), checkpoint: head.note };
}

const HEAD_COVERING = sql('head_covering', HEAD_ROW)`
  WITH cosigned AS (
    SELECT c.size, count(*) AS cosignatures
    FROM (SELECT size, key_id, name FROM log_cosignature WHERE log = $log AND size > $logIndex ORDER BY size DESC LIMIT ${LOOK_BACK}) c
    JOIN unnest($keyIds::text[], $names::text[]) AS w(key_id, name) ON w.key_id = c.key_id AND w.name = c.name
    GROUP BY c.size ORDER BY 2 DESC, 1 DESC LIMIT 1)
  SELECT ${HEAD_COLUMNS} FROM log_head h
  WHERE h.log = $log AND h.size = coalesce((SELECT size FROM cosigned),
    (SELECT max(size) FROM log_head WHERE log = $log AND size > $logIndex))`;

async function headCovering(app: LedgerApp, log: number, logIndex: number): Promise<Head | null> {
  const db = acrossChains(app);
  const { witnesses } = app.config;
  const [head] = await HEAD_COVERING.rows(db, {
    logIndex,
    keyIds: witnesses.map(({ keyId }) => keyId),
    names: witnesses.map(({ name }) => name),
    log,
  });
  return head ? withCosignatures(db, head) : null;
}

const SIGNED_SIZES = sql('signed_sizes', { chainId: 'int' })`
  SELECT c.id AS "chainId" FROM ledger_chain c
  JOIN checkpoint k ON k.chain_id = c.id AND k.size = $to
  JOIN ledger_record r ON r.chain_id = c.id AND r.index = k.size - 1 AND r.hash = k.head_hash
  WHERE c.origin = $origin AND (EXISTS (SELECT FROM checkpoint b WHERE b.chain_id = c.id AND b.size = $from)
    OR EXISTS (SELECT FROM closed_log_entry e WHERE starts_with(e.note, $origin || E'\\n' || $from::text || E'\\n')))`;

/**
 * The consistency proof that a chain only grew from one signed size to another; empty if the sizes are equal. Null if either
 * size was not signed, or if the record at the end of the second differs from the signed one.
 */
export async function chainConsistency(
  app: LedgerApp,
  origin: string,
  from: number,
  to: number,
): Promise<string[] | null> {
  if (from > to) return null;
  const db = acrossChains(app);
  const rows = await SIGNED_SIZES.rows(db, { origin, from, to });
  if (!rows[0]) return null;
  return prove(db, rows[0].chainId, consistencyPlan(from, to));
}

/** The statements that closed earlier logs, oldest first. Those of releases before the published form are left out. */
export async function publishedClosings(app: LedgerApp): Promise<PublishedStatement[]> {
  const { closed } = await readLogs(app, acrossChains(app), () => readKeyring(app));
  return closed.flatMap(({ published }) => published ?? []);
}

/** The statements that lead to a log from the first one; null if one of them is not published. */
export async function closingsBefore(app: LedgerApp, log: number): Promise<PublishedClosing[] | null> {
  const { closed } = await readLogs(app, acrossChains(app), () => readKeyring(app));
  const before = closed.slice(0, log - 1).flatMap(({ published }) => published?.closing ?? []);
  return before.length === log - 1 ? before : null;
}

/** A head log of this service: the first one, or the successor of a log closed after a loss. */
export interface PublishedLog {
  origin: string;
  /** Its path under the service's address. */
  path: string;
  /** The last known head of its predecessor, which `/log/closings` says why it was closed; null for the first log. */
  follows: { origin: string; size: number; head: string | null } | null;
}

/** All logs, oldest first. The last one is the current log. */
export async function publishedLogs(app: LedgerApp): Promise<PublishedLog[]> {
  const { closed, origin } = await readLogs(app, acrossChains(app), () => readKeyring(app));
  const first = { origin: closed[0]?.origin ?? origin, follows: null };
  const others = closed.map(({ successor, origin: before, size, head }) => ({
    origin: successor,
    follows: { origin: before, size, head },
  }));
  const logs = [first, ...others];
  return logs.map((log, i) => ({ ...log, path: i === logs.length - 1 ? '/log' : `/log/${i + 1}` }));
}
