import type { Pool } from '../../../db/database.ts';
import { type Gate, makeGate } from '../../../lib/gate.ts';
import type { ChainState } from './chain-state.ts';

/** A stretch of a chain: from the first index up to, but not including, the second. */
export interface Range {
  from: number;
  to: number;
}

export interface RangeFinding {
  /** How many records there are in the range. */
  found: number;
  /** The first bad index; null when all is well. */
  bad: number | null;
  /** The hash of the last record found. */
  lastHash: string | null;
}

const RANGE = 'r.chain_id = $1 AND r.index >= $2::int AND r.index < $3::int';
const BEFORE = '(SELECT hash FROM ledger_record WHERE chain_id = $1 AND index = $2::int - 1)';
const LAST = '(SELECT hash FROM ledger_record WHERE chain_id = $1 AND index = $3::int - 1)';
const HASHED = `r.hash =
  encode(sha256(convert_to(r.content || coalesce(r.previous_hash, '') || r.timestamp, 'UTF8')), 'hex')`;

/**
 * Whether a range is sound, computed inside PostgreSQL: nothing but the finding travels, and the hashing is nearly all
 * that it costs. Indexes are unique, so a full count leaves no gap; all previous hashes in a row, and the last hash, must
 * read like the hash before the range and all hashes in a row.
 */
const soundSql = ({ agrees, joined, beside }: Beside) => `
  SELECT count(*)::int AS found,
         count(*) = $3::int - $2::int AND bool_and(hashed) AND bool_and(agrees)
           AND coalesce(string_agg(previous_hash, '' ORDER BY index), '') || ${LAST}
             = coalesce(${BEFORE}, '') || string_agg(hash, '' ORDER BY index)
           AND ${beside} AS sound,
         ${LAST} AS "lastHash"
  FROM (
    -- OFFSET keeps this apart: hashed first, the long contents need not be put in order.
    SELECT r.index, r.hash, r.previous_hash, ${HASHED} AS hashed, ${agrees} AS agrees
    FROM ledger_record r ${joined}
    WHERE ${RANGE} OFFSET 0
  ) checked`;

/**
 * The first bad index of a range that is not sound. Records are read in order; one that stands elsewhere than its count
 * from the start of the range says means that another is missing before it.
 */
const firstBadSql = ({ agrees, joined, exists }: Beside) => `
  SELECT min(place) FILTER (WHERE index <> place OR NOT (linked AND hashed AND agrees)) AS bad
  FROM (
    SELECT r.index, $2::int + (row_number() OVER w)::int - 1 AS place,
           r.previous_hash IS NOT DISTINCT FROM
             CASE WHEN row_number() OVER w = 1 THEN ${BEFORE} ELSE lag(r.hash) OVER w END AS linked,
           ${HASHED} AS hashed,
           ${agrees} AND ${exists} AS agrees
    FROM ledger_record r ${joined}
    WHERE ${RANGE}
    WINDOW w AS (ORDER BY r.index)
  ) walked`;

/** What must stand beside the records of a chain. */
interface Beside {
  /** Whether it says the same as the record. */
  agrees: string;
  joined: string;
  /** Whether there is one for every record of the range. */
  beside: string;
  /** Whether there is one for this record. */
  exists: string;
}

/** Audit entries repeat their record's content in columns, for lists and filters; the two must say the same. */
const ENTRY_AGREES = `
  CASE WHEN pg_input_is_valid(r.content, 'jsonb') THEN
    coalesce(
      jsonb_build_object(
        'id', e.id, 'centerId', e.center_id, 'type', e.type, 'actorId', e.actor_id, 'actorEmail', e.actor_email,
        'target', e.target, 'detail', e.detail, 'ip', e.ip,
        'occurredAt', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      ) = r.content::jsonb - 'partnerId'
      AND e.partner_id IS NOT DISTINCT FROM
          coalesce(r.content::jsonb->>'partnerId', (SELECT partner_id FROM center WHERE id = e.center_id)),
      false)
  ELSE false END`;

const auditEntries: Beside = {
  agrees: ENTRY_AGREES,
  joined: 'LEFT JOIN audit_entry e ON e.chain_id = r.chain_id AND e.index = r.index',
  beside: 'true',
  exists: 'true',
};

/** A record whose DPU was removed is out of everybody's sight. */
const dpus: Beside = {
  agrees: 'true',
  joined: '',
  beside: `count(*) = (SELECT count(*) FROM dpu WHERE chain_id = $1 AND index >= $2::int AND index < $3::int)`,
  exists: 'EXISTS (SELECT 1 FROM dpu d WHERE d.chain_id = r.chain_id AND d.index = r.index)',
};

const statements = (name: string, beside: Beside) => ({
  sound: { name: `check_${name}_range`, text: soundSql(beside) },
  firstBad: { name: `first_bad_${name}`, text: firstBadSql(beside) },
});
const auditChain = statements('audit', auditEntries);
const dpuChain = statements('dpu', dpus);

/** However many verifications are under way, most connections stay with everything else. */
const gates = new WeakMap<Pool, Gate>();

function gateOf(pool: Pool): Gate {
  const gate = gates.get(pool) ?? makeGate(Math.max(2, Math.floor(pool.options.max / 4)));
  gates.set(pool, gate);
  return gate;
}

export function checkRange(pool: Pool, state: ChainState, range: Range): Promise<RangeFinding> {
  return gateOf(pool)(() => check(pool, state, range));
}

async function check(pool: Pool, state: ChainState, range: Range): Promise<RangeFinding> {
  const { sound, firstBad } = state.domain === 'audit' ? auditChain : dpuChain;
  const values = [state.chainId, range.from, range.to];
  const checked = await pool.query<{ found: number; sound: boolean | null; lastHash: string | null }>({
    ...sound,
    values,
  });
  const { found, sound: isSound, lastHash } = checked.rows[0]!;
  if (isSound) return { found, bad: null, lastHash };
  const searched = await pool.query<{ bad: number | null }>({ ...firstBad, values });
  // Nothing wrong with those that are there: then the next one is missing.
  return { found, bad: searched.rows[0]!.bad ?? range.from + found, lastHash };
}
