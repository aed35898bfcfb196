import type { Pool } from '../../../db/database.ts';
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

/**
 * Recomputes every hash of the range and compares every link, inside PostgreSQL: nothing but the finding travels.
 * Records are read in the order of their primary key; a record that stands elsewhere than its count from the start of
 * the range says means that one is missing before it.
 */
const checkSql = (agrees: string, joined: string) => `
  WITH walked AS (
    SELECT r.index, r.hash, $2::int + (row_number() OVER w)::int - 1 AS place,
           r.previous_hash IS NOT DISTINCT FROM
             CASE WHEN row_number() OVER w = 1
                  THEN (SELECT hash FROM ledger_record WHERE chain_id = $1 AND index = $2::int - 1)
                  ELSE lag(r.hash) OVER w END AS linked,
           r.hash = encode(sha256(convert_to(r.content || coalesce(r.previous_hash, '') || r.timestamp, 'UTF8')), 'hex')
             AS hashed,
           ${agrees} AS agrees
    FROM ledger_record r ${joined}
    WHERE r.chain_id = $1 AND r.index >= $2::int AND r.index < $3::int
    WINDOW w AS (ORDER BY r.index)
  )
  SELECT count(*)::int AS found,
         min(place) FILTER (WHERE index <> place OR NOT (linked AND hashed AND agrees)) AS bad,
         (SELECT hash FROM ledger_record WHERE chain_id = $1 AND index >= $2::int AND index < $3::int
          ORDER BY index DESC LIMIT 1) AS "lastHash"
  FROM walked`;

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

/** A record whose DPU was removed is out of everybody's sight. */
const checks = {
  audit: {
    name: 'check_audit_range',
    text: checkSql(ENTRY_AGREES, 'LEFT JOIN audit_entry e ON e.chain_id = r.chain_id AND e.index = r.index'),
  },
  dpu: {
    name: 'check_dpu_range',
    text: checkSql('d.id IS NOT NULL', 'LEFT JOIN dpu d ON d.chain_id = r.chain_id AND d.index = r.index'),
  },
};

export async function checkRange(pool: Pool, state: ChainState, range: Range): Promise<RangeFinding> {
  const { rows } = await pool.query<RangeFinding>({
    ...checks[state.domain === 'audit' ? 'audit' : 'dpu'],
    values: [state.chainId, range.from, range.to],
  });
  const { found, bad, lastHash } = rows[0]!;
  const short = found < range.to - range.from ? range.from + found : null;
  return { found, bad: bad ?? short, lastHash };
}
