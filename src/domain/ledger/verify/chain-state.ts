import type { Queryable } from '../../../db/database.ts';
import type { ChainDomain } from '../../../db/generated/prisma/enums.ts';
import { type RowOf, sql } from '../../../db/sql.ts';

/** The expected state of a chain, from every source other than its records. */
export interface ChainState extends RowOf<typeof READ> {
  /** Null for the platform's own chains. */
  centerId: number | null;
  domain: ChainDomain;
}

/**
 * A single statement, and therefore a single snapshot, so concurrent appends never look like tampering. Records are found even
 * if their head row was removed: the statement also searches between the ids of existing chains, where there should be no
 * rows.
 */
const READ = sql('read_chain_state', {
  chainId: 'int?',
  /** Size and head according to the head row. */
  size: 'int',
  headHash: 'text?',
  genesisHash: 'text?',
  /** The lowest and highest index of its records; null if there are none. */
  lowest: 'int?',
  highest: 'int?',
  /** How long the chain is according to DPUs or audit entries, and to signed checkpoints. */
  referenced: 'int',
  witnessed: 'int',
})`
  WITH head AS (
    SELECT id, size, head_hash FROM ledger_chain
    WHERE (center_id = $centerId OR (center_id IS NULL AND $centerId::int IS NULL)) AND domain = $domain::text::chain_domain
  ), gap AS (
    SELECT id AS above, lead(id, 1, 2147483648) OVER (ORDER BY id) AS below
    FROM (SELECT -2147483649 AS id UNION ALL SELECT id FROM ledger_chain) known
    WHERE NOT EXISTS (SELECT 1 FROM head)
  ), headless AS (
    SELECT min(left_over.chain_id) AS id
    FROM gap, LATERAL (
      SELECT chain_id FROM dpu
      WHERE chain_id > above AND chain_id < below AND center_id IS NOT DISTINCT FROM $centerId AND domain = $domain::text::chain_domain
      UNION ALL
      SELECT chain_id FROM audit_entry
      WHERE chain_id > above AND chain_id < below AND center_id IS NOT DISTINCT FROM $centerId AND $domain = 'audit'
    ) left_over
    WHERE below - above > 1
  ), chain AS (
    SELECT id, size, head_hash FROM head
    UNION ALL
    SELECT id, 0, NULL FROM headless WHERE id IS NOT NULL
  )
  SELECT c.id AS "chainId", coalesce(c.size, 0) AS size, c.head_hash AS "headHash",
    (SELECT hash FROM ledger_record WHERE chain_id = c.id AND index = 0) AS "genesisHash",
    (SELECT min(index) FROM ledger_record WHERE chain_id = c.id) AS lowest,
    (SELECT max(index) FROM ledger_record WHERE chain_id = c.id) AS highest,
    coalesce(greatest((SELECT max(index) FROM dpu WHERE chain_id = c.id),
                      (SELECT max(index) FROM audit_entry WHERE chain_id = c.id)) + 1, 0) AS referenced,
    coalesce((SELECT max(size) FROM checkpoint WHERE chain_id = c.id), 0) AS witnessed
  FROM (SELECT) always LEFT JOIN chain c ON true`;

export async function readChainState(
  db: Queryable,
  centerId: number | null,
  domain: ChainDomain,
): Promise<ChainState> {
  const [row] = await READ.rows(db, { centerId, domain });
  return { centerId, domain, ...row! };
}

/** The first index at which head row, records, references and checkpoints disagree; null if they agree. */
export function firstDisagreement(state: ChainState): number | null {
  const found: number[] = [];
  const { size, lowest, highest, referenced, witnessed } = state;
  if (lowest !== null && lowest < 0) found.push(0);
  const reached = (highest ?? -1) + 1;
  // If the sizes differ, the chain breaks at the end of the shorter one.
  for (const claim of [size, Math.max(size, referenced), Math.max(size, witnessed)]) {
    if (claim !== reached) found.push(Math.max(0, Math.min(claim, reached)));
  }
  return found.length > 0 ? Math.min(...found) : null;
}
