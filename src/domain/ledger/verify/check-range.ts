import type { Database } from '../../../db/database.ts';
import { makeSemaphore, type Semaphore } from '../../../lib/semaphore.ts';
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
/**
 * textsend gives the text as the connection has it, and ours speak UTF-8: the same bytes as convert_to, for a third less.
 * The short ends are joined first, so that the long content is copied once.
 */
const COMPUTED = `sha256(textsend(r.content || (coalesce(r.previous_hash, '') || r.timestamp)))`;
/** Of a record whose content was erased the hash stays, which its neighbours, the tree and the checkpoints vouch for. */
const OWN_HASH = `CASE WHEN r.content = '' AND EXISTS (
    SELECT FROM dpu d
    WHERE d.chain_id = r.chain_id AND d.index = r.index AND d.domain = 'platform' AND d.erased_at IS NOT NULL)
  THEN decode(r.hash, 'hex') ELSE ${COMPUTED} END`;
/** Fixed lengths leave only one way to read what was hashed, and hashes put in a row. */
const FORMED = `octet_length(r.hash) = 64 AND octet_length(r.timestamp) = 24
  AND (octet_length(r.previous_hash) = 64 OR r.previous_hash IS NULL)`;

/**
 * Whether a range is sound, computed inside PostgreSQL: nothing but the finding travels, and the hashing is nearly all
 * that it costs. Indexes are unique, so a full count leaves no gap. The rest is compared in three rows of hashes, each
 * in the order of the index: what the records hash to must read like their hashes, and their previous hashes, with the
 * last hash behind, like the hash before the range and their hashes.
 */
const soundSql = ({ joined, everywhere }: Beside) => `
  SELECT count(*) = $3::int - $2::int
           AND encode(string_agg(${OWN_HASH}, '' ORDER BY r.index), 'hex') = string_agg(r.hash, '' ORDER BY r.index)
           AND coalesce(string_agg(r.previous_hash, '' ORDER BY r.index), '') || ${LAST}
             = coalesce(${BEFORE}, '') || string_agg(r.hash, '' ORDER BY r.index)
           AND ${everywhere} AS sound,
         ${LAST} AS "lastHash"
  FROM ledger_record r ${joined}
  WHERE ${RANGE} AND ${FORMED}`;

/**
 * The first bad index of a range that is not sound. Records are read in order; one that stands elsewhere than its count
 * from the start of the range says means that another is missing before it.
 */
const firstBadSql = ({ joined, here }: Beside) => `
  SELECT count(*)::int AS found,
         min(place) FILTER (WHERE index <> place OR NOT (formed AND linked AND hashed AND agrees)) AS bad
  FROM (
    SELECT r.index, $2::int + (row_number() OVER w)::int - 1 AS place,
           ${FORMED} AS formed,
           r.previous_hash IS NOT DISTINCT FROM
             CASE WHEN row_number() OVER w = 1 THEN ${BEFORE} ELSE lag(r.hash) OVER w END AS linked,
           r.hash = encode(${OWN_HASH}, 'hex') AS hashed,
           ${here} AS agrees
    FROM ledger_record r ${joined}
    WHERE ${RANGE}
    WINDOW w AS (ORDER BY r.index)
  ) walked`;

/** What must stand beside the records of a chain. */
interface Beside {
  joined: string;
  /** Whether it is there, and right, for this record. */
  here: string;
  /** The same for all records of a range. */
  everywhere: string;
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
  joined: 'LEFT JOIN audit_entry e ON e.chain_id = r.chain_id AND e.index = r.index',
  here: ENTRY_AGREES,
  everywhere: `bool_and(${ENTRY_AGREES})`,
};

/** A record whose DPU was removed is out of everybody's sight. */
const dpus: Beside = {
  joined: '',
  here: 'EXISTS (SELECT 1 FROM dpu d WHERE d.chain_id = r.chain_id AND d.index = r.index)',
  everywhere:
    'count(*) = (SELECT count(*) FROM dpu WHERE chain_id = $1 AND index >= $2::int AND index < $3::int)',
};

/** Nothing stands beside the entries of a journal: it is what everything else is compared with. */
const nothing: Beside = { joined: '', here: 'true', everywhere: 'true' };

const statements = (name: string, beside: Beside) => ({
  sound: { name: `check_${name}_range`, text: soundSql(beside) },
  firstBad: { name: `first_bad_${name}`, text: firstBadSql(beside) },
});
const auditChain = statements('audit', auditEntries);
const dpuChain = statements('dpu', dpus);
const chainOf = {
  platform: dpuChain,
  proof: dpuChain,
  audit: auditChain,
  journal: statements('journal', nothing),
};

/** However many verifications are under way, most connections stay with everything else. */
const semaphores = new WeakMap<Database, Semaphore>();

function semaphoreOf(db: Database): Semaphore {
  const semaphore = semaphores.get(db) ?? makeSemaphore(Math.max(2, Math.floor(db.pool.options.max / 4)));
  semaphores.set(db, semaphore);
  return semaphore;
}

export function checkRange(db: Database, state: ChainState, range: Range): Promise<RangeFinding> {
  return semaphoreOf(db)(() => check(db, state, range));
}

async function check(db: Database, state: ChainState, range: Range): Promise<RangeFinding> {
  const { sound, firstBad } = chainOf[state.domain];
  const values = [state.chainId, range.from, range.to];
  const checked = await db
    .declared('acrossTenants')
    .query<{ sound: boolean | null; lastHash: string | null }>({ ...sound, values });
  const { sound: isSound, lastHash } = checked.rows[0]!;
  if (isSound) return { found: range.to - range.from, bad: null, lastHash };
  const searched = await db
    .declared('acrossTenants')
    .query<{ found: number; bad: number | null }>({ ...firstBad, values });
  const { found, bad } = searched.rows[0]!;
  // Nothing wrong with those that are there: then the next one is missing.
  return { found, bad: bad ?? range.from + found, lastHash };
}
