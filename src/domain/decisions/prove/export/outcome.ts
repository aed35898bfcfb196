import { type JsonValue, makeDisclosure, OUTCOME, type ProofOutcome } from '@countersign/proof-kit';
import { sql } from '../../../../db/sql.ts';
import type { Context } from '../../../context.ts';
import { checkLink } from '../../../ledger/chains/check-link.ts';
import { DOCUMENT_ROW, reseal, whole } from '../../content.ts';
import { type ErasedMember, erasedMembers } from '../../erased.ts';

/** The position of an outcome on its journal. */
interface JournalPlace {
  chainId: number;
  chainIndex: number;
  chainHash: string;
}

export interface ExportedOutcome extends Omit<ProofOutcome, 'inclusion'> {
  erased: ErasedMember[];
  place: JournalPlace;
}

const OUTCOME_OF_EVENT = sql('outcome_of_event', {
  ...DOCUMENT_ROW,
  journal_index: 'int',
  recorded_at: 'timestamptz',
  chain_id: 'int',
  sealed_content: 'text',
  previous_hash: 'text?',
  hash: 'text',
  timestamp: 'text',
  by_kind: 'approved_by_kind?',
  by_id: 'text?',
  by_salt: 'text?',
})`
  SELECT o.content, o.large, o.salts, o.erased, o.journal_index, o.recorded_at,
         r.chain_id, r.content AS sealed_content, r.previous_hash, r.hash, r.timestamp, b.by_kind, b.by_id, b.salt AS by_salt
  FROM outcome o
  LEFT JOIN ledger_chain c ON c.center_id = o.center_id AND c.domain = 'journal'
  LEFT JOIN ledger_record r ON r.chain_id = c.id AND r.index = o.journal_index
  LEFT JOIN journal_by b ON b.chain_id = r.chain_id AND b.index = r.index
  WHERE o.event_id = $eventId AND o.center_id = $centerId`;

/** The outcome of a decision with its journal record; null while none was reported. */
export async function exportedOutcome(
  { app }: Context,
  centerId: number,
  eventId: string,
  mayShow: (path: string) => boolean,
): Promise<ExportedOutcome | null> {
  const rows = await OUTCOME_OF_EVENT.rows(app.db.declared([centerId]), { eventId, centerId });
  const row = rows[0];
  if (!row) return null;
  const place = { chainId: row.chain_id, chainIndex: row.journal_index, chainHash: row.hash };
  // Also if the record is missing: a proof that omits a reported outcome would look complete.
  await checkLink(app.db.declared([centerId]), place);
  const { by_kind: kind, by_id: byId, by_salt: bySalt } = row;
  const { status, output } = whole(OUTCOME, row);
  const { 'outcome.output': disclosure } = reseal(OUTCOME, row).disclosed;
  const byShown = byId !== null && bySalt !== null && mayShow('outcome.by.id');
  const shown = disclosure !== undefined && mayShow('outcome.output');
  return {
    status,
    ...(shown && { output: output as JsonValue }),
    recordedAt: row.recorded_at.toISOString(),
    journalIndex: row.journal_index,
    ...(kind !== null && { by: { kind, ...(byShown && { id: byId }) } }),
    record: { content: row.sealed_content, previousHash: row.previous_hash ?? '', timestamp: row.timestamp },
    disclosures: [...(byShown ? [makeDisclosure(bySalt, 'id', byId)] : []), ...(shown ? [disclosure] : [])],
    erased: erasedMembers([row.erased]),
    place,
  };
}
