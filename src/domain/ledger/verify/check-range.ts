import type { Queryable } from '../../../db/database.ts';
import { type RowOf, sql } from '../../../db/sql.ts';
import { sha256Hex } from '../../../lib/crypto.ts';
import type { ChainState } from './chain-state.ts';
import type { LedgerSource } from './source.ts';

/** A range of a chain: from the first index up to, but not including, the second. */
export interface Range {
  from: number;
  to: number;
}

export interface RangeFinding {
  found: number;
  /** The first bad index; null if there is none. */
  bad: number | null;
  lastHash: string | null;
  /** Records with a timestamp earlier than their predecessor's. */
  backwards: number[];
}

/** Requests take their timestamp when they begin, and the clocks of processes differ, so this much disorder is normal. */
const CLOCK_TOLERANCE_MS = 300_000;

/** Whether a record's timestamp precedes its predecessor's by more than clock skew and lock waits explain. */
function runsBackwards(before: string, time: string): boolean {
  return time < before && Date.parse(before) - Date.parse(time) > CLOCK_TOLERANCE_MS;
}

export function isInFuture(time: string, now: Date): boolean {
  return Date.parse(time) - now.getTime() > CLOCK_TOLERANCE_MS;
}

const RANGE = 'r.chain_id = $chainId AND r.index >= $from::int AND r.index < $to::int';
const BEFORE = '(SELECT hash FROM ledger_record WHERE chain_id = $chainId AND index = $from::int - 1)';
const LAST = '(SELECT hash FROM ledger_record WHERE chain_id = $chainId AND index = $to::int - 1)';
const TIME_BEFORE =
  '(SELECT timestamp FROM ledger_record WHERE chain_id = $chainId AND index = $from::int - 1)';
/**
 * textsend uses the client encoding, which is UTF-8 on our connections: the same bytes as convert_to at two thirds of the
 * cost. The short parts are concatenated first, so that the long content is copied once.
 */
const COMPUTED = `sha256(textsend(r.content || (coalesce(r.previous_hash, '') || r.timestamp)))`;
/** A record whose content was erased keeps its hash, which its neighbors, the tree and the checkpoints confirm. */
const OWN_HASH = `CASE WHEN r.content = '' AND EXISTS (
    SELECT FROM dpu d
    WHERE d.chain_id = r.chain_id AND d.index = r.index AND d.domain = 'platform' AND d.erased_at IS NOT NULL)
  THEN decode(r.hash, 'hex') ELSE ${COMPUTED} END`;
/** Fixed lengths make the hashed text and concatenated hashes unambiguous. */
const FORMED = `octet_length(r.hash) = 64 AND octet_length(r.timestamp) = 24
  AND (octet_length(r.previous_hash) = 64 OR r.previous_hash IS NULL)`;

/**
 * Checks a range inside PostgreSQL: only the result is transferred, and hashing is nearly all of the cost. Indexes are unique,
 * so a full count means there is no gap. Then it compares concatenations in index order: the computed hashes with the stored
 * ones, and the previous hashes plus the last hash with the hash before the range plus the stored hashes.
 */
const soundSql = (ownHashes: string) => `
  SELECT count(*) = $to::int - $from::int
           AND ${ownHashes} = string_agg(r.hash, '' ORDER BY r.index)
           AND coalesce(string_agg(r.previous_hash, '' ORDER BY r.index), '') || ${LAST}
             = coalesce(${BEFORE}, '') || string_agg(r.hash, '' ORDER BY r.index) AS sound,
         ${LAST} AS "lastHash", ${TIME_BEFORE} AS "timeBefore", string_agg(r.timestamp, '' ORDER BY r.index) AS times
  FROM ledger_record r
  WHERE ${RANGE} AND ${FORMED}`;

/**
 * The first bad index of a faulty range. Reads records in order; if a record's index differs from its row number, a record
 * before it is missing.
 */
const firstBadSql = (ownHash: string) => `
  SELECT count(*)::int AS found,
         min(place) FILTER (WHERE index <> place OR NOT (formed AND linked AND hashed)) AS bad
  FROM (
    SELECT r.index, $from::int + (row_number() OVER w)::int - 1 AS place,
           ${FORMED} AS formed,
           r.previous_hash IS NOT DISTINCT FROM
             CASE WHEN row_number() OVER w = 1 THEN ${BEFORE} ELSE lag(r.hash) OVER w END AS linked,
           r.hash = ${ownHash} AS hashed
    FROM ledger_record r
    WHERE ${RANGE}
    WINDOW w AS (ORDER BY r.index)
  ) walked`;

const HEX = `encode(${OWN_HASH}, 'hex')`;
const LINKS_OF_EMPTY = `CASE r.content WHEN '' THEN r.hash ELSE ${HEX} END`;

const SOUND_ROW = {
  sound: 'boolean?',
  lastHash: 'text?',
  timeBefore: 'text?',
  /** All timestamps, concatenated. */
  times: 'text?',
} as const;
const BAD_ROW = { found: 'int', bad: 'int?' } as const;

const whole = {
  sound: sql('check_range', SOUND_ROW)`${soundSql(
    `encode(string_agg(${OWN_HASH}, '' ORDER BY r.index), 'hex')`,
  )}`,
  firstBad: sql('first_bad', BAD_ROW)`${firstBadSql(HEX)}`,
};
/**
 * The content of platform records can be erased, so for an empty one only the links are checked here. Whether it may be empty
 * is checked against the journal when rows are compared.
 */
const erasable = {
  sound: sql('check_erasable', SOUND_ROW)`${soundSql(`string_agg(${LINKS_OF_EMPTY}, '' ORDER BY r.index)`)}`,
  firstBad: sql('first_bad_erasable', BAD_ROW)`${firstBadSql(LINKS_OF_EMPTY)}`,
};

export function checkRange(source: LedgerSource, state: ChainState, range: Range): Promise<RangeFinding> {
  const check = source.hashesInDatabase ? checkInDatabase : checkHere;
  return source.atOnce(() => check(source.db, state, range));
}

const HASH = /^[0-9a-f]{64}$/;

const READ_RANGE = sql('read_range', {
  index: 'int',
  content: 'text',
  previousHash: 'text?',
  hash: 'text',
  timestamp: 'text',
})`
  SELECT index, content, previous_hash AS "previousHash", hash, timestamp FROM ledger_record
  WHERE chain_id = $chainId AND index >= $from::int - 1 AND index < $to::int ORDER BY index`;

/** The same, computed in this process. Also reads the record before the range for its hash. */
async function checkHere(db: Queryable, state: ChainState, { from, to }: Range): Promise<RangeFinding> {
  const rows = await READ_RANGE.rows(db, { chainId: state.chainId, from, to });
  const isErasable = state.domain === 'platform';
  const before = rows[0]?.index === from - 1 ? rows.shift()! : null;
  const timeBefore = before?.timestamp ?? null;
  let previous = before?.hash ?? null;
  for (const [i, row] of rows.entries()) {
    if (row.index !== from + i || !isSound(row, previous, isErasable))
      return { found: rows.length, bad: from + i, lastHash: rows.at(-1)!.hash, backwards: [] };
    previous = row.hash;
  }
  const bad = rows.length < to - from ? from + rows.length : null;
  const backwards = backwardsIn(
    rows.map(({ timestamp }) => timestamp),
    timeBefore,
    from,
  );
  return { found: rows.length, bad, lastHash: rows.at(-1)?.hash ?? null, backwards };
}

function backwardsIn(times: readonly string[], before: string | null, from: number): number[] {
  return times.flatMap((time, i) => {
    const previous = i === 0 ? before : times[i - 1]!;
    return previous !== null && runsBackwards(previous, time) ? [from + i] : [];
  });
}

function isSound(
  { content, previousHash, hash, timestamp }: RowOf<typeof READ_RANGE>,
  previous: string | null,
  isErasable: boolean,
): boolean {
  if (previousHash !== previous || !HASH.test(hash) || Buffer.byteLength(timestamp) !== 24) return false;
  return (isErasable && content === '') || sha256Hex(content + (previousHash ?? '') + timestamp) === hash;
}

async function checkInDatabase(db: Queryable, state: ChainState, range: Range): Promise<RangeFinding> {
  const { sound, firstBad } = state.domain === 'platform' ? erasable : whole;
  const params = { chainId: state.chainId, from: range.from, to: range.to };
  const [checked] = await sound.rows(db, params);
  const { sound: isSound, lastHash, timeBefore, times } = checked!;
  if (isSound) {
    const backwards = backwardsIn(split(times ?? ''), timeBefore, range.from);
    return { found: range.to - range.from, bad: null, lastHash, backwards };
  }
  const [searched] = await firstBad.rows(db, params);
  const { found, bad } = searched!;
  // All records found are valid, so the next one is missing.
  return { found, bad: bad ?? range.from + found, lastHash, backwards: [] };
}

const TIME_CHARACTERS = 24;

function split(times: string): string[] {
  const list: string[] = [];
  for (let at = 0; at < times.length; at += TIME_CHARACTERS) list.push(times.slice(at, at + TIME_CHARACTERS));
  return list;
}
