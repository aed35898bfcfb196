import { type JsonValue, OUTCOME, type ProofOutcome } from '@countersign/proof-kit';
import { sql } from '../../../../db/sql.ts';
import { checkLink } from '../../../ledger/chains/check-link.ts';
import { DOCUMENT_ROW, reseal, whole } from '../../content.ts';
import type { ProofContext } from '../../decision-context.ts';
import { type ErasedMember, erasedMembers } from '../../erased.ts';
import { attachedRecord, type Disclosed, placeOf, shownAuthor } from './attached-record.ts';

const OUTCOME_OF_EVENT = sql('outcome_of_event', {
  ...DOCUMENT_ROW,
  recordedAt: 'timestamptz',
  chainId: 'int',
  index: 'int',
  sealedContent: 'text',
  previousHash: 'text?',
  hash: 'text',
  timestamp: 'text',
  byKind: 'approved_by_kind?',
  byId: 'text?',
  bySalt: 'text?',
})`
  SELECT o.content, o.large, o.salts, o.erased, o.journal_index AS index, o.recorded_at AS "recordedAt",
         r.chain_id AS "chainId", r.content AS "sealedContent", r.previous_hash AS "previousHash", r.hash, r.timestamp,
         b.by_kind AS "byKind", b.by_id AS "byId", b.salt AS "bySalt"
  FROM outcome o
  LEFT JOIN ledger_chain c ON c.center_id = o.center_id AND c.domain = 'journal'
  LEFT JOIN ledger_record r ON r.chain_id = c.id AND r.index = o.journal_index
  LEFT JOIN journal_by b ON b.chain_id = r.chain_id AND b.index = r.index
  WHERE o.event_id = $eventId AND o.center_id = $centerId`;

/** The outcome of a decision with its journal record; null while none was reported. */
export async function exportedOutcome(
  ctx: ProofContext,
  centerId: number,
  eventId: string,
  { isSigned, mayShow }: Disclosed,
): Promise<{ outcome: ProofOutcome; erased: ErasedMember[] } | null> {
  const db = ctx.app.db.declared([centerId]);
  const [row] = await OUTCOME_OF_EVENT.rows(db, { eventId, centerId });
  if (!row) return null;
  // Also if the record is missing: a proof that omits a reported outcome would look complete.
  await checkLink(db, placeOf(row));
  const { byKind: kind, byId: id, bySalt: salt, sealedContent } = row;
  const author = kind && shownAuthor({ kind, id, salt }, mayShow('outcome.by.id'));
  const { status, output } = whole(OUTCOME, row);
  const { 'outcome.output': disclosure } = reseal(OUTCOME, row).disclosed;
  const shown = disclosure !== undefined && mayShow('outcome.output');
  const outcome = {
    status,
    ...(shown && { output: output as JsonValue }),
    recordedAt: row.recordedAt.toISOString(),
    journalIndex: row.index,
    ...(author && { by: author.by }),
    ...(await attachedRecord(ctx, { ...row, content: sealedContent }, isSigned)),
    disclosures: [...(author?.disclosures ?? []), ...(shown ? [disclosure] : [])],
  };
  return { outcome, erased: erasedMembers([row.erased]) };
}
