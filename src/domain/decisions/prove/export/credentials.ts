import type { AttachedRecord } from '@countersign/proof-kit';
import { sql, typed } from '../../../../db/sql.ts';
import { sha256Hex } from '../../../../lib/crypto.ts';
import { ownerDisclosure, type PasskeySalts } from '../../../audit/passkey-record.ts';
import { checkLink } from '../../../ledger/chains/check-link.ts';
import type { ProofContext } from '../../decision-context.ts';
import type { ApprovalRow } from '../../row.ts';
import { attachedRecord, type Disclosed, placeOf, RECORD_COLUMNS, RECORD_ROW } from './attached-record.ts';

/** The last change of a key before a given time. If there is none, the first one, which shows that it came too late. */
const LAST_CHANGE = sql('last_change_of_passkey', {
  ...RECORD_ROW,
  actorId: 'text',
  salts: typed<PasskeySalts>('jsonb'),
})`
  SELECT ${RECORD_COLUMNS}, e.actor_id AS "actorId", e.salts
  FROM audit_entry e JOIN ledger_record r ON r.chain_id = e.chain_id AND r.index = e.index
  WHERE e.detail->>'fingerprint' = $fingerprint AND e.salts IS NOT NULL AND e.center_id IS NULL
  ORDER BY r.timestamp < $approvedAt DESC, CASE WHEN r.timestamp < $approvedAt THEN r.index ELSE -r.index END DESC LIMIT 1`;

/**
 * The registrations of the passkeys that signed approvals, if their signatures are disclosed. The owner is disclosed if the
 * document discloses the approver. Passkeys registered before their records had salts are omitted.
 */
export async function exportedCredentials(
  ctx: ProofContext,
  approvals: readonly ApprovalRow[],
  { isSigned, mayShow }: Disclosed,
): Promise<AttachedRecord[]> {
  const db = ctx.app.db.declared('acrossTenants');
  const attached = new Map<number, AttachedRecord>();
  for (const {
    content: { signature, by, approvedAt },
  } of approvals) {
    if (!signature || !mayShow('approvals.signature')) continue;
    const fingerprint = sha256Hex(Buffer.from(signature.publicKey, 'base64url'));
    const [row] = await LAST_CHANGE.rows(db, { fingerprint, approvedAt });
    // Verifiers reject two approvals by one key anyway, so the first one decides.
    if (!row || attached.has(row.index)) continue;
    const showsOwner = by.id !== undefined && mayShow('approvals.by.id');
    await checkLink(db, placeOf(row));
    attached.set(row.index, {
      ...(await attachedRecord(ctx, row, isSigned)),
      disclosures: showsOwner ? [ownerDisclosure(row.salts, row.actorId)] : [],
    });
  }
  return [...attached.values()];
}
