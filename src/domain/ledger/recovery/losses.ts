// The journal entries of accepted losses.
import { parseOrigin } from '@countersign/proof-kit';
import type { Queryable } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { authoredEntry, type JournalEntry } from '../chains/journal.ts';

/** A lost tail that an administrator accepted, as recorded on the journal. */
export interface AcceptedLoss {
  /** The origin of the chain or log. */
  chain: string;
  signedSize: number;
  presentSize: number;
  reason: string;
  /** The position of the entry on the journal, and its time. */
  index: number;
  at: string;
}

const MOST_LOSSES = 100;

const LOSS_RECORDS = sql('loss_records', { index: 'int', at: 'text', content: 'text' })`
  SELECT r.index, r.timestamp AS at, r.content FROM journal_by b
  JOIN ledger_record r ON r.chain_id = b.chain_id AND r.index = b.index
  WHERE b.subject = 'loss' AND b.kind = 'loss' AND b.center_id IS NOT DISTINCT FROM $centerId::int
  ORDER BY b.chain_id, b.index DESC LIMIT ${MOST_LOSSES}`;

/** The newest loss entries on a center's journal; null for the platform's own. */
export async function readLosses(db: Queryable, centerId: number | null): Promise<AcceptedLoss[]> {
  const rows = await LOSS_RECORDS.rows(db, { centerId });
  return rows.map(({ index, at, content }) => {
    const { chain, signedSize, presentSize, reason } = JSON.parse(content) as AcceptedLoss;
    return { chain, signedSize, presentSize, reason, index, at };
  });
}

type LostChain = Pick<AcceptedLoss, 'chain' | 'signedSize' | 'presentSize'>;

/** One entry per chain on its center's journal, and one for the log on the platform's journal. */
export function lossEntries(
  log: LostChain & { successor: string; head: string | null },
  chains: readonly LostChain[],
  reason: string,
): JournalEntry[] {
  const entry = (centerId: number | null, loss: LostChain, more = {}) =>
    authoredEntry(centerId, 'loss', {
      author: { kind: 'system' },
      content: { kind: 'loss', ...loss, reason, ...more },
    });
  const { successor, head, ...lost } = log;
  return [
    entry(null, lost, { successor, ...(head !== null && { head }) }),
    ...chains.map((loss) => entry(parseOrigin(loss.chain)?.chain?.center || null, loss)),
  ];
}
