import { sha256Bytes } from '../../../lib/crypto.ts';
import { DomainError } from '../../../lib/errors.ts';
import {
  DECISION_DOMAIN,
  decisionProof,
  keyNameFor,
  leafHash,
  noteKeyId,
  type ProofDocument,
  type ProofParts,
  parseCheckpoint,
  platformProof,
  verifyInclusion,
} from '../../../proof-kit/index.ts';
import type { Context } from '../../context.ts';
import { findSealedDecision } from '../../proof/sealed-decision.ts';
import { checkLink } from '../check-link.ts';
import { checkpointCovering } from '../checkpoints/cover.ts';
import { HistoryChanged } from '../checkpoints/finding.ts';
import { inclusionHashes } from '../checkpoints/proofs.ts';
import { serviceKeys } from '../checkpoints/signing-key.ts';
import { readDpu } from '../dpu.ts';
import type { DpuView } from '../dpu-row.ts';

/** Whether a member may be shown, by its path. */
export type MayShow = (path: string) => boolean;

/**
 * A decision proof unit of the caller's center as a document that can be checked without asking this service. The
 * record's own hash and its links are checked first: what is broken is not certified.
 */
export async function exportDocument(
  ctx: Context,
  dpuId: string,
  mayShow: MayShow = () => true,
): Promise<ProofDocument> {
  const { config, db } = ctx.app;
  const dpu = await readDpu(ctx, dpuId);
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
    ...(await signedInclusion(ctx, dpu)),
  };
  return dpu.domain === DECISION_DOMAIN
    ? proofOfDecision(ctx, dpu, parts, mayShow)
    : proofOfRecord(dpu, parts, mayShow);
}

async function proofOfDecision(
  ctx: Context,
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
  return decisionProof({ ...parts, id: row.evidence_id, erased, disclosures: shown });
}

function proofOfRecord(dpu: DpuView, parts: ProofParts, mayShow: MayShow): ProofDocument {
  const { evidenceLevel, sealedAt, erasedAt, erasedReason, content, timestamp } = dpu;
  const erased = erasedAt && { path: 'content', at: erasedAt.toISOString(), reason: erasedReason };
  return platformProof({
    ...parts,
    record: { content: mayShow('content') ? content : null, timestamp },
    ...(erased && { erased: [erased] }),
    evidenceLevel,
    sealedAt: sealedAt?.toISOString() ?? null,
  });
}

/**
 * The proof that the record is in a signed state of its chain. Where no checkpoint can be made just now the document goes
 * without: it says less then, but nothing wrong.
 */
async function signedInclusion(
  { app }: Context,
  dpu: DpuView,
): Promise<Pick<ProofParts, 'inclusion' | 'publicKey'>> {
  const { chainId, chainIndex, chainHash } = dpu;
  const checkpoint = await checkpointCovering(app, chainId, chainIndex).catch((error: unknown) => {
    if (!(error instanceof HistoryChanged))
      app.log.error({ err: error, chainId }, 'could not make a checkpoint');
    return null;
  });
  if (!checkpoint) return {};
  const { origin, size, root } = parseCheckpoint(checkpoint.note);
  const hashes = await inclusionHashes(app.db.pool, chainId, chainIndex, size);
  const leaf = leafHash(Buffer.from(chainHash, 'hex'), sha256Bytes);
  const proof = hashes.map((hash) => Buffer.from(hash, 'hex'));
  if (!verifyInclusion({ leaf, index: chainIndex, size, proof, root }, sha256Bytes)) {
    throw chainBroken(dpu, `Record ${chainIndex} is not the one that was signed.`);
  }
  const key = (await serviceKeys(app.db.pool)).find(({ id }) => id === checkpoint.keyId);
  if (!key) throw chainBroken(dpu, 'The key that signed the chain is unknown.');
  return {
    inclusion: { leafIndex: chainIndex, treeSize: size, hashes, checkpoint: checkpoint.note },
    publicKey: {
      keyId: noteKeyId({ name: keyNameFor(origin), publicKey: Buffer.from(key.publicKey, 'base64') }),
      name: keyNameFor(origin),
      publicKey: key.publicKey,
    },
  };
}

function chainBroken({ chainIndex }: DpuView, message: string): DomainError {
  return new DomainError('CHAIN_BROKEN', message, { details: { chainIndex } });
}
