import { sha256Bytes } from '../../../lib/crypto.ts';
import { DomainError } from '../../../lib/errors.ts';
import {
  DECISION_DOMAIN,
  type ExportDocument,
  keyNameFor,
  leafHash,
  noteKeyId,
  parseCheckpoint,
  verifyInclusion,
} from '../../../proof-kit/index.ts';
import type { Context } from '../../context.ts';
import { checkLink } from '../check-link.ts';
import { checkpointCovering } from '../checkpoints/cover.ts';
import { HistoryChanged } from '../checkpoints/finding.ts';
import { inclusionHashes } from '../checkpoints/proofs.ts';
import { serviceKeys } from '../checkpoints/signing-key.ts';
import { readDpu } from '../dpu.ts';
import type { DpuView } from '../dpu-row.ts';
import { surroundings } from '../responsibility.ts';
import { sixW } from '../six-w.ts';
import { buildDocument, type DecisionFrame } from './document.ts';
import { plainAnswers } from './responsibility.ts';

/**
 * A decision proof unit of the caller's center as a document that can be checked without asking this service. The
 * record's own hash and its links are checked first: what is broken is not certified.
 */
export async function exportDocument(ctx: Context, dpuId: string): Promise<ExportDocument> {
  const { app } = ctx;
  const dpu = await readDpu(ctx, dpuId);
  await checkLink(app.db.pool, dpu);
  const [decision, around, proof] = await Promise.all([
    decisionFrame(ctx, dpu),
    surroundings(ctx, dpu),
    signedInclusion(ctx, dpu),
  ]);
  return buildDocument({
    dpu,
    decision,
    proof,
    responsibility: plainAnswers(sixW(dpu, around)),
    schemaUrl: app.config.schemaUrl,
    publicUrl: app.config.publicUrl,
    now: ctx.now,
  });
}

async function decisionFrame(ctx: Context, dpu: DpuView): Promise<DecisionFrame | null> {
  if (dpu.domain !== DECISION_DOMAIN) return null;
  return ctx.db.decisionEvent.findUniqueOrThrow({
    where: { dpuId: dpu.id },
    select: { evidenceId: true, createdAt: true },
  });
}

/**
 * The proof that the record is in a signed state of its chain. Where no checkpoint can be made the document goes
 * without: it says less then, but nothing wrong.
 */
async function signedInclusion(
  { app }: Context,
  { chainId, chainIndex, chainHash }: DpuView,
): Promise<Pick<ExportDocument, 'inclusion' | 'publicKey'>> {
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
    throw new DomainError('CHAIN_BROKEN', `Record ${chainIndex} is not the one that was signed.`, {
      details: { chainIndex },
    });
  }
  const { publicKey } = (await serviceKeys(app.db.pool)).find(({ id }) => id === checkpoint.keyId)!;
  return {
    inclusion: { leafIndex: chainIndex, treeSize: size, hashes, checkpoint: checkpoint.note },
    publicKey: {
      keyId: noteKeyId({ name: keyNameFor(origin), publicKey: Buffer.from(publicKey, 'base64') }),
      name: keyNameFor(origin),
      publicKey,
    },
  };
}
