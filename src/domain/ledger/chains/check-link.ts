import type { Declared } from '../../../db/database.ts';
import { sql, type Transaction } from '../../../db/sql.ts';
import { DomainError } from '../../../lib/errors.ts';

const CHECK = sql('check_link', { sound: 'boolean?' })`
    SELECT (r.hash = encode(sha256(convert_to(r.content || coalesce(r.previous_hash, '') || r.timestamp, 'UTF8')), 'hex')
            OR (r.content = '' AND EXISTS (
              SELECT FROM dpu d WHERE d.chain_id = r.chain_id AND d.index = r.index AND d.erased_at IS NOT NULL)))
           AND r.previous_hash IS NOT DISTINCT FROM p.hash AND (r.index = 0) = (p.hash IS NULL)
           AND r.hash = CASE WHEN r.index = c.size - 1 THEN c.head_hash ELSE n.previous_hash END AS sound
    FROM ledger_record r
    JOIN ledger_chain c ON c.id = r.chain_id
    LEFT JOIN ledger_record p ON p.chain_id = r.chain_id AND p.index = r.index - 1
    LEFT JOIN ledger_record n ON n.chain_id = r.chain_id AND n.index = r.index + 1
    WHERE r.chain_id = $chainId AND r.index = $chainIndex`;

/**
 * Re-checks one record before it is sealed or disclosed: its own hash and the links on both sides. If the content was erased,
 * only the links are checked.
 */
export async function checkLink(
  db: Declared | Transaction,
  { chainId, chainIndex }: { chainId: number; chainIndex: number },
): Promise<void> {
  const [row] = await CHECK.rows(db, { chainId, chainIndex });
  if (row?.sound) return;
  throw new DomainError('CHAIN_BROKEN', `The chain is broken at record ${chainIndex}.`, {
    details: { chainIndex },
  });
}
