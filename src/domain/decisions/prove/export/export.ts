import {
  type Credential,
  chainOrigin,
  DECISION_DOMAIN,
  decisionProof,
  HASH_PREFIX,
  type ProofDocument,
  type ProofParts,
  platformProof,
} from '@countersign/proof-kit';
import { PLATFORM } from '../../../../db/database.ts';
import { DomainError } from '../../../../lib/errors.ts';
import { readDpu } from '../../../dpus/dpu.ts';
import type { DpuView } from '../../../dpus/dpu-row.ts';
import { checkLink } from '../../../ledger/chains/check-link.ts';
import { documentProof } from '../../../ledger/signing/signed-proof.ts';
import { placeOfPasskey } from '../../../passkeys/audit.ts';
import type { ProofContext } from '../../decision-context.ts';
import { findSealedDecision } from '../../read/sealed-decision.ts';
import type { ApprovalRow } from '../../row.ts';
import type { Disclosed } from './attached-record.ts';
import { exportedCredentials } from './credentials.ts';
import { exportedErasures } from './erasures.ts';
import { requireOldEnough } from './from-replica.ts';
import { exportedGroups } from './groups.ts';
import { exportedOutcome } from './outcome.ts';
import { exportedPolicies } from './policies.ts';

type MayShow = Disclosed['mayShow'];

/**
 * A DPU of the caller's center as a document that can be verified without this service. The record's own hash and links are
 * checked first, because a broken record must not be certified.
 */
export async function exportDocument(
  ctx: ProofContext,
  dpuId: string,
  mayShow: MayShow = () => true,
): Promise<ProofDocument> {
  const { config, db } = ctx.app;
  const dpu = await readDpu(ctx, dpuId);
  requireOldEnough(ctx, dpu.timestamp);
  await checkLink(db.declared([dpu.centerId]), dpu);
  const parts: ProofParts = {
    schemaUrl: config.schemaUrl,
    publicUrl: config.publicUrl,
    exportedAt: ctx.now.toISOString(),
    id: dpu.id,
    chain: {
      hash: dpu.chainHash,
      previousHash: dpu.previousHash,
      index: dpu.chainIndex,
      domain: dpu.domain,
    },
    record: { content: dpu.content, timestamp: dpu.timestamp },
    ...(await documentProof(ctx.app, dpu)),
  };
  return dpu.domain === DECISION_DOMAIN
    ? proofOfDecision(ctx, dpu, parts, mayShow)
    : proofOfRecord(ctx, dpu, parts, mayShow);
}

async function proofOfDecision(
  ctx: ProofContext,
  dpu: DpuView,
  parts: ProofParts,
  mayShow: MayShow,
): Promise<ProofDocument> {
  const sealed = await findSealedDecision(ctx.app.db, dpu.centerId, 'dpu_id', dpu.id);
  if (!sealed) throw chainBroken(dpu, 'The decision of this record is missing.');
  const { row, erased, disclosures } = sealed;
  const shown = disclosures.flatMap((byPath) =>
    Object.entries(byPath).flatMap(([path, disclosure]) => (mayShow(path) ? [disclosure] : [])),
  );
  const credentials = await Promise.all(sealed.approvals.map((approval) => credentialOf(ctx, approval)));
  const { mandate } = sealed.disclosed.content;
  const mandateProof = mandate && (await proofOfGrant(ctx, dpu.centerId, mandate.eventId, mayShow));
  const isSigned = parts.publicKey !== undefined;
  const reported = await exportedOutcome(ctx, dpu.centerId, row.id, { isSigned, mayShow });
  const policies = await exportedPolicies(ctx, sealed.disclosed.policy, isSigned);
  const { content } = sealed.disclosed;
  const { groups, delegations } = await exportedGroups(ctx, content, sealed.approvals, { isSigned, mayShow });
  return decisionProof({
    ...parts,
    id: row.evidence_id,
    erased: await exportedErasures(
      ctx,
      { id: row.id, centerId: dpu.centerId },
      [...erased, ...(reported?.erased ?? [])],
      { isSigned, mayShow },
    ),
    disclosures: shown,
    credentials,
    registrations: await exportedCredentials(ctx, sealed.approvals, { isSigned, mayShow }),
    policies,
    groups,
    delegations,
    ...(mandateProof && { mandateProof }),
    ...(reported && { outcome: reported.outcome }),
  });
}

/** The proof of the decision that granted another decision's mandate. */
async function proofOfGrant(ctx: ProofContext, centerId: number, eventId: string, mayShow: MayShow) {
  const grant = await findSealedDecision(ctx.app.db, centerId, 'id', eventId);
  return grant ? exportDocument(ctx, grant.row.dpu_id, mayShow) : undefined;
}

/** The position on the platform's audit chain of the registration of the passkey that signed an approval. */
export async function credentialOf(
  { app }: ProofContext,
  { content: { signature, by } }: ApprovalRow,
): Promise<Credential | undefined> {
  if (!signature || by.id === undefined) return undefined;
  const db = app.db.acrossTenants;
  const passkey = await db.passkey.findUnique({ where: { credentialId: signature.credentialId } });
  const place = passkey && (await placeOfPasskey(db, passkey));
  if (!place) return undefined;
  const chain = await db.ledgerChain.findUnique({ where: { id: place.chainId }, select: { origin: true } });
  const origin = chain?.origin ?? chainOrigin(app.config.publicUrl, PLATFORM, 'audit');
  return { chain: origin, index: place.index, hash: HASH_PREFIX + place.hash };
}

async function proofOfRecord(
  ctx: ProofContext,
  dpu: DpuView,
  parts: ProofParts,
  mayShow: MayShow,
): Promise<ProofDocument> {
  const { id, centerId, evidenceLevel, erasedAt, erasedReason, content, timestamp } = dpu;
  const marks = erasedAt ? [{ path: 'content', at: erasedAt.toISOString(), reason: erasedReason }] : [];
  const erased = await exportedErasures(ctx, { id, centerId }, marks, {
    isSigned: parts.publicKey !== undefined,
    mayShow,
  });
  return platformProof({
    ...parts,
    record: { content: mayShow('content') ? content : null, timestamp },
    ...(erased.length > 0 && { erased }),
    evidenceLevel,
  });
}

function chainBroken({ chainIndex }: DpuView, message: string): DomainError {
  return new DomainError('CHAIN_BROKEN', message, { details: { chainIndex } });
}
