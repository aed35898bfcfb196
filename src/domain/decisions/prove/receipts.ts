import type { ReceiptKind } from '@countersign/proof-kit/receipt';
import { sql } from '../../../db/sql.ts';
import { currentCenterId, ownRows } from '../../context.ts';
import { type ReceiptPlace, receiptFor } from '../../ledger/receipt.ts';
import type { ProofContext } from '../decision-context.ts';

/** The receipt of an entry on the center's journal; null if the entry is missing, or while nothing can be signed. */
export async function journalReceipt(
  ctx: ProofContext,
  kind: ReceiptKind,
  eventId: string,
  place: ReceiptPlace | undefined,
): Promise<string | null> {
  if (!place) return null;
  return receiptFor(ctx.app, { ...place, kind, eventId, centerId: currentCenterId(ctx), domain: 'journal' });
}

const PLACE_ROW = { index: 'int', hash: 'text', timestamp: 'text' } as const;

const JOURNAL_PLACES = sql('journal_places', PLACE_ROW)`
  SELECT r.index, r.hash, r.timestamp FROM ledger_chain c JOIN ledger_record r ON r.chain_id = c.id
  WHERE c.center_id = $centerId AND c.domain = 'journal' AND r.index = ANY ($indexes::int[])`;

/** Entries of the center's journal, by index. */
export async function journalPlaces(
  ctx: ProofContext,
  indexes: readonly number[],
): Promise<Map<number, ReceiptPlace>> {
  const rows = await JOURNAL_PLACES.rows(ownRows(ctx), { centerId: currentCenterId(ctx), indexes });
  return new Map(rows.map((row) => [row.index, row]));
}

const PLACES_OF_RECORDINGS = sql('places_of_recordings', { id: 'text', ...PLACE_ROW })`
  SELECT e.id, r.index, r.hash, r.timestamp FROM decision_event e
  JOIN ledger_chain c ON c.center_id = e.center_id AND c.domain = 'journal'
  JOIN ledger_record r ON r.chain_id = c.id AND r.index = e.journal_index
  WHERE e.center_id = $centerId AND e.id = ANY ($eventIds::text[])`;

/** The journal entries that recorded events, by event id. */
export async function placesOfRecordings(
  ctx: ProofContext,
  eventIds: readonly string[],
): Promise<Map<string, ReceiptPlace>> {
  const rows = await PLACES_OF_RECORDINGS.rows(ownRows(ctx), { centerId: currentCenterId(ctx), eventIds });
  return new Map(rows.map(({ id, ...place }) => [id, place]));
}
