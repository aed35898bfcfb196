import {
  APPROVAL,
  discloseRejection,
  EVENT,
  type ProofDocument,
  Refutation,
  rejectionProof,
} from '@countersign/proof-kit';
import { canonicalJson } from '@countersign/proof-kit/canonical';
import { columnsOf, sql } from '../../../../db/sql.ts';
import { DomainError } from '../../../../lib/errors.ts';
import { currentCenterId, ownRows } from '../../../context.ts';
import { checkLink } from '../../../ledger/chains/check-link.ts';
import { documentProof } from '../../../ledger/signing/signed-proof.ts';
import { reseal } from '../../content.ts';
import type { ProofContext } from '../../decision-context.ts';
import { erasedMembers } from '../../erased.ts';
import { getDecisionEvent } from '../../read/list-events.ts';
import { APPROVAL_COLUMNS, APPROVAL_ROW, EVENT_BY_ID } from '../../row.ts';
import { PLACE_ROW, placeOf } from './attached-record.ts';
import { exportedCredentials } from './credentials.ts';
import { exportedErasures } from './erasures.ts';
import { credentialOf, exportDocument } from './export.ts';
import { requireOldEnough } from './from-replica.ts';

/**
 * The proof of a final decision of the caller's center: from the proof chain if it is sealed, from the journal if it was
 * rejected, withdrawn or expired.
 */
export async function exportDecision(ctx: ProofContext, eventId: string): Promise<ProofDocument> {
  const { id, status, dpuId } = await getDecisionEvent(ctx, eventId);
  if (status === 'sealed') return exportDocument(ctx, dpuId);
  if (status === 'rejected') return proofOfRejection(ctx, id);
  throw new DomainError(
    'CONFLICT',
    'The decision still waits for approval. Export it once it is sealed or rejected.',
  );
}

async function proofOfRejection(ctx: ProofContext, eventId: string): Promise<ProofDocument> {
  const { app } = ctx;
  const centerId = currentCenterId(ctx);
  const db = ownRows(ctx);
  const [[row], [rejecting]] = await Promise.all([
    EVENT_BY_ID.rows(db, { id: eventId, centerId }),
    REJECTION_OF_EVENT.rows(db, { eventId, centerId }),
  ]);
  if (!row || !rejecting) throw broken();
  const { index, hash, previousHash, timestamp, sealedContent: content } = rejecting;
  requireOldEnough(ctx, timestamp);
  await checkLink(app.db.declared([centerId]), placeOf(rejecting));
  const event = reseal(EVENT, row);
  const approval = reseal(APPROVAL, rejecting);
  const disclosures = [event.disclosed, approval.disclosed].flatMap(Object.values);
  checkWhole(content, disclosures, canonicalJson([event.sealed, approval.sealed]));
  const signed = await documentProof(app, placeOf(rejecting));
  const shown = { isSigned: signed !== null, mayShow: () => true };
  return rejectionProof({
    schemaUrl: app.config.schemaUrl,
    publicUrl: app.config.publicUrl,
    exportedAt: ctx.now.toISOString(),
    id: row.evidence_id,
    chain: { hash, previousHash, index, domain: 'journal' },
    record: { content, timestamp },
    disclosures,
    credential: await credentialOf(ctx, rejecting),
    registrations: await exportedCredentials(ctx, [rejecting], shown),
    erased: await exportedErasures(
      ctx,
      { id: eventId, centerId },
      erasedMembers([row.erased, rejecting.erased]),
      shown,
    ),
    ...signed,
  });
}

/** The approval that rejected a decision, with its journal record. */
const REJECTION_OF_EVENT = sql('rejection_of_event', {
  ...APPROVAL_ROW,
  ...PLACE_ROW,
  sealedContent: 'text',
})`
  SELECT ${APPROVAL_COLUMNS}, ${columnsOf('r', PLACE_ROW)}, r.content AS "sealedContent" FROM approval a
  JOIN ledger_chain c ON c.center_id = a.center_id AND c.domain = 'journal'
  JOIN ledger_record r ON r.chain_id = c.id AND r.index = a.journal_index
  WHERE a.event_id = $eventId AND a.center_id = $centerId AND a.result = 'rejected'`;

/** Without this check, a missing value would look like a withheld one. */
function checkWhole(content: string, disclosures: string[], kept: string): void {
  try {
    const { event, approval } = discloseRejection(content, disclosures).content;
    if (canonicalJson([event, approval]) !== kept) throw broken();
  } catch (error) {
    if (error instanceof Refutation) throw broken(error);
    throw error;
  }
}

function broken(cause?: unknown): DomainError {
  return new DomainError('CHAIN_BROKEN', 'The decision differs from its journal entry.', { cause });
}
