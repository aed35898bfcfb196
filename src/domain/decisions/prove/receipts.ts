import { sql } from '../../../db/sql.ts';
import { currentCenterId, ownRows } from '../../context.ts';
import { receiptFor } from '../../ledger/receipt.ts';
import type { ProofContext } from '../decision-context.ts';
import type { DecisionEventView } from '../row.ts';

const PLACE_ROW = { index: 'int', hash: 'text', timestamp: 'text' } as const;

const JOURNAL_PLACES = sql('journal_places', PLACE_ROW)`
  SELECT r.index, r.hash, r.timestamp FROM ledger_chain c JOIN ledger_record r ON r.chain_id = c.id
  WHERE c.center_id = $centerId AND c.domain = 'journal' AND r.index = ANY ($indexes::int[])`;

/** Receipts of the center's journal entries, by index. */
export async function journalReceipts(
  ctx: ProofContext,
  indexes: readonly number[],
): Promise<Map<number, string>> {
  const centerId = currentCenterId(ctx);
  const rows = await JOURNAL_PLACES.rows(ownRows(ctx), { centerId, indexes });
  const receipts = new Map<number, string>();
  for (const row of rows) {
    const receipt = await receiptFor(ctx.app, { ...row, centerId, domain: 'journal' });
    if (receipt !== null) receipts.set(row.index, receipt);
  }
  return receipts;
}

const PLACES_OF_RECORDINGS = sql('places_of_recordings', { id: 'text', ...PLACE_ROW })`
  SELECT e.id, r.index, r.hash, r.timestamp FROM decision_event e
  JOIN ledger_chain c ON c.center_id = e.center_id AND c.domain = 'journal'
  JOIN ledger_record r ON r.chain_id = c.id AND r.index = e.journal_index
  WHERE e.center_id = $centerId AND e.id = ANY ($unknown::text[])`;

/** Receipts for the recording of events, by event id. */
export async function recordingReceipts(
  ctx: ProofContext,
  events: readonly DecisionEventView[],
): Promise<Map<DecisionEventView, string>> {
  const centerId = currentCenterId(ctx);
  const unknown = events.filter(({ entry }) => entry === null).map(({ id }) => id);
  const rows =
    unknown.length === 0 ? [] : await PLACES_OF_RECORDINGS.rows(ownRows(ctx), { centerId, unknown });
  const places = new Map(rows.map(({ id, ...place }) => [id, place]));
  const receipts = new Map<DecisionEventView, string>();
  for (const event of events) {
    const place = event.entry ?? places.get(event.id);
    const receipt = place && (await receiptFor(ctx.app, { ...place, centerId, domain: 'journal' }));
    if (receipt) receipts.set(event, receipt);
  }
  return receipts;
}
