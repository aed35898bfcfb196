import type { AttachedRecord } from '@countersign/proof-kit';
import { type RowOf, sql, typed } from '../../../../db/sql.ts';
import { sha256Hex } from '../../../../lib/crypto.ts';
import { ownerDisclosure, type PasskeySalts } from '../../../audit/passkey-record.ts';
import { checkLink } from '../../../ledger/chains/check-link.ts';
import { signedProof } from '../../../ledger/signing/signed-proof.ts';
import type { ProofContext } from '../../decision-context.ts';
import type { ApprovalRow } from '../../row.ts';

/** The last change of a key before a given time. If there is none, the first one, which shows that it came too late. */
const LAST_CHANGE = sql('last_change_of_passkey', {
  chainId: 'int',
  index: 'int',
  hash: 'text',
  previousHash: 'text?',
  timestamp: 'text',
  content: 'text',
  actorId: 'text',
  salts: typed<PasskeySalts>('jsonb'),
})`
  SELECT r.chain_id AS "chainId", r.index, r.hash, r.previous_hash AS "previousHash", r.timestamp, r.content,
         e.actor_id AS "actorId", e.salts
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
  { isSigned, mayShow }: { isSigned: boolean; mayShow: (path: string) => boolean },
): Promise<AttachedRecord[]> {
  const db = ctx.app.db.declared('acrossTenants');
  const attached = new Map<number, AttachedRecord>();
  for (const {
    content: { signature, by, approvedAt },
  } of approvals) {
    if (!signature || !mayShow('approvals.signature')) continue;
    const rows = await LAST_CHANGE.rows(db, {
      fingerprint: sha256Hex(Buffer.from(signature.publicKey, 'base64url')),
      approvedAt,
    });
    const row = rows[0];
    if (!row) continue;
    const showsOwner = by.id !== undefined && mayShow('approvals.by.id');
    // Verifiers reject two approvals by one key anyway, so the first one decides.
    if (!attached.has(row.index))
      attached.set(row.index, await attachedChange(ctx, row, { isSigned, showsOwner }));
  }
  return [...attached.values()];
}

async function attachedChange(
  { app }: ProofContext,
  { chainId, index, hash, previousHash, timestamp, content, actorId, salts }: RowOf<typeof LAST_CHANGE>,
  { isSigned, showsOwner }: { isSigned: boolean; showsOwner: boolean },
): Promise<AttachedRecord> {
  const place = { chainId, chainIndex: index, chainHash: hash };
  await checkLink(app.db.declared('acrossTenants'), place);
  const signed = isSigned ? await signedProof(app, place) : null;
  return {
    record: { content, previousHash: previousHash ?? '', timestamp },
    disclosures: showsOwner ? [ownerDisclosure(salts, actorId)] : [],
    ...(signed && { inclusion: signed.inclusion, ...(signed.head && { head: signed.head }) }),
  };
}
