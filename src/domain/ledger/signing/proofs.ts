import { consistencyPlan } from '@countersign/proof-kit';
import type { Checkpoint } from '../../../db/generated/prisma/client.ts';
import type { ChainDomain } from '../../../db/generated/prisma/enums.ts';
import { DomainError, validationError } from '../../../lib/errors.ts';
import { acrossChains, type LedgerContext } from '../ledger-app.ts';
import { HistoryChanged, SigningRefused } from '../notes/faults.ts';
import { inclusionHashes, prove } from '../tree/nodes.ts';
import { ensureCheckpoint, makeCheckpoint } from './checkpoints.ts';

export interface InclusionProof {
  checkpoint: Checkpoint;
  leafIndex: number;
  recordHash: string;
  /** From the leaf up, 64 hex digits each. */
  hashes: string[];
}

export interface ConsistencyProof {
  from: Checkpoint;
  to: Checkpoint;
  hashes: string[];
}

/** Proves that a checkpoint covers a record of the caller's center. Uses the newest checkpoint unless one is named. */
export async function inclusionProof(
  ctx: LedgerContext,
  dpuId: string,
  checkpointId: string | null,
): Promise<InclusionProof> {
  const place = await ctx.db.dpu.findUnique({
    where: { id: dpuId },
    select: { chainId: true, index: true, record: { select: { hash: true } } },
  });
  if (!place) throw new DomainError('DPU_NOT_FOUND', 'Decision proof unit not found.');
  const { chainId, index, record } = place;
  return orChainBroken(async () => {
    const checkpoint = checkpointId
      ? await namedCheckpoint(ctx, checkpointId)
      : await ensureCheckpoint(ctx.app, chainId, index);
    if (checkpoint.chainId !== chainId || checkpoint.size <= index) {
      throw validationError([{ path: 'checkpointId', message: 'does not cover this record' }]);
    }
    const hashes = await inclusionHashes(acrossChains(ctx.app), chainId, index, checkpoint.size);
    return { checkpoint, leafIndex: index, recordHash: record.hash, hashes };
  });
}

/** Proves that a later checkpoint contains an earlier one unchanged and only appends to it. */
export async function consistencyProof(
  ctx: LedgerContext,
  from: string,
  to: string,
): Promise<ConsistencyProof> {
  const [first, second] = await Promise.all([namedCheckpoint(ctx, from), namedCheckpoint(ctx, to)]);
  if (first.chainId !== second.chainId) {
    throw validationError([{ path: 'to', message: 'belongs to another chain' }]);
  }
  if (first.size > second.size) {
    throw validationError([{ path: 'to', message: 'is older than the other checkpoint' }]);
  }
  return orChainBroken(async () => {
    const plan = consistencyPlan(first.size, second.size);
    return { from: first, to: second, hashes: await prove(acrossChains(ctx.app), first.chainId, plan) };
  });
}

/** Signs the current state of one of the center's chains without waiting for the timer. */
export async function checkpointNow(ctx: LedgerContext, domain: ChainDomain): Promise<Checkpoint> {
  const chain = await ctx.db.ledgerChain.findFirst({ where: { domain }, select: { id: true } });
  const checkpoint = chain && (await orChainBroken(() => makeCheckpoint(ctx.app, chain.id)));
  if (!checkpoint) throw new DomainError('NOT_FOUND', 'This chain has no records yet.');
  return checkpoint;
}

async function namedCheckpoint(ctx: LedgerContext, id: string): Promise<Checkpoint> {
  const checkpoint = await ctx.db.checkpoint.findUnique({ where: { id } });
  if (!checkpoint) throw new DomainError('NOT_FOUND', 'Checkpoint not found.');
  return checkpoint;
}

async function orChainBroken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SigningRefused)
      throw new DomainError('SERVICE_UNAVAILABLE', 'Signing has stopped; the operator must resolve it.', {
        cause: error,
      });
    if (!(error instanceof HistoryChanged)) throw error;
    throw new DomainError('CHAIN_BROKEN', 'The history of this chain differs from what was signed before.', {
      details: { chainIndex: error.finding.index, kind: error.finding.kind },
      cause: error,
    });
  }
}
