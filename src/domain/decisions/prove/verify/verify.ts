import type { Reads } from '../../../../db/database.ts';
import type { Dpu } from '../../../../db/generated/prisma/client.ts';
import { sql } from '../../../../db/sql.ts';
import { currentCenterId } from '../../../context.ts';
import { dpuNotFound } from '../../../dpus/dpu.ts';
import { isInTree } from '../../../ledger/tree/kept.ts';
import { type ChainState, readChainState } from '../../../ledger/verify/chain-state.ts';
import { compareWithCheckpoints } from '../../../ledger/verify/compare.ts';
import { type LedgerSource, replicaSourceOf, sourceOf } from '../../../ledger/verify/source.ts';
import { drain, walkRanges } from '../../../ledger/verify/walk.ts';
import { transact } from '../../../unit-of-work.ts';
import type { ProofContext } from '../../decision-context.ts';
import { type CenterReport, verifyChains } from './center.ts';
import { matchesSealed } from './differences/compare.ts';

export interface RecordReport {
  valid: boolean;
  chainLength: number;
  genesisHash: string | null;
  brokenAt: number | null;
}

export interface CenterProgress {
  checked: number;
  total: number;
  /** The chain being walked. */
  domain: string;
  /** The verdict, once everything was checked. */
  result: CenterReport | null;
}

/**
 * Verifies a DPU: its chain from genesis to its record, the checkpoints, and its visible rows. Does for one record what the
 * verification of a center does for all.
 */
export async function verifyDpu(ctx: ProofContext, id: string): Promise<RecordReport> {
  const replica = replicaOf(ctx);
  const onReplica = replica && (await verifyRecord(ctx, id, ctx.reads, replica).catch(() => null));
  const verdict = onReplica?.valid ? onReplica : await verifyRecord(ctx, id, ctx.app.db, sourceOf(ctx.app));
  const { domain, ...report } = verdict;
  await announce(ctx, id, domain, report);
  return report;
}

/** The replica, if the request reads from it. Only a valid result from it counts; otherwise the primary decides. */
function replicaOf(ctx: ProofContext): LedgerSource | null {
  return ctx.reads.isReplica ? replicaSourceOf(ctx.app) : null;
}

async function verifyRecord(
  ctx: ProofContext,
  id: string,
  reads: Reads,
  source: LedgerSource,
): Promise<RecordReport & { domain: string }> {
  // Does not join the record: if that is missing, it is the finding.
  const dpu = await reads.forCenter(currentCenterId(ctx)).dpu.findUnique({ where: { id } });
  if (!dpu) throw dpuNotFound();
  const state = await readChainState(source.db, dpu.centerId, dpu.domain);
  const brokenAt =
    (await firstBroken(source, state, dpu)) ?? ((await isWhole(source, state, dpu)) ? null : dpu.index);
  return {
    valid: brokenAt === null,
    chainLength: dpu.index + 1,
    genesisHash: state.genesisHash,
    brokenAt,
    domain: dpu.domain,
  };
}

/** The first index, up to the record, at which the chain is broken or differs from what was signed. */
async function firstBroken(source: LedgerSource, state: ChainState, dpu: Dpu): Promise<number | null> {
  const { bad, lastHash, backwards } = await drain(walkRanges(source, state, dpu.index + 1));
  const inItself = bad ?? backwards[0] ?? (await firstUnexplained(source, state, dpu.index, lastHash));
  if (inItself !== null) return inItself;
  const departed = await compareWithCheckpoints(source, state);
  return departed !== null && departed.index <= dpu.index ? departed.index : null;
}

/** Whether the row is on its own chain, the tree proves its record, and the row matches what was sealed. */
async function isWhole(source: LedgerSource, { chainId }: ChainState, dpu: Dpu): Promise<boolean> {
  if (chainId !== dpu.chainId) return false;
  return (await isInTree(source.db, chainId, dpu.index)) && source.snapshot((db) => matchesSealed(db, dpu));
}

const FIRST_UNEXPLAINED = sql('first_unexplained', { empty: 'int?', vouched: 'text?' })`
  SELECT (SELECT min(r.index) FROM ledger_record r LEFT JOIN dpu d ON d.chain_id = r.chain_id AND d.index = r.index
   WHERE r.chain_id = $chainId AND r.index <= $index::int AND r.content = '' AND d.erased_at IS NULL) AS empty,
  (SELECT coalesce(n.previous_hash, CASE WHEN c.size = $index::int + 1 THEN c.head_hash END)
   FROM ledger_chain c LEFT JOIN ledger_record n ON n.chain_id = c.id AND n.index = $index::int + 1
   WHERE c.id = $chainId) AS vouched`;

/**
 * Faults that a walk cannot detect: a record that is empty but was not erased, and a last record whose hash neither its
 * successor nor the head confirms.
 */
async function firstUnexplained(
  { db }: LedgerSource,
  { chainId }: ChainState,
  index: number,
  hash: string | null,
): Promise<number | null> {
  const rows = await FIRST_UNEXPLAINED.rows(db, { chainId, index });
  const { empty, vouched } = rows[0]!;
  return empty ?? (hash === vouched ? null : index);
}

/** Verifies every chain of the caller's center and reports progress after each step. */
export async function* verifyCenterSteps(ctx: ProofContext): AsyncGenerator<CenterProgress> {
  const replica = replicaOf(ctx);
  const onReplica = replica && (yield* walkOnReplica(replica, currentCenterId(ctx)));
  const result = onReplica ?? (yield* walkCenter(sourceOf(ctx.app), currentCenterId(ctx)));
  for (const { domain, finding } of result.chains) {
    if (finding) ctx.app.log.error({ domain, finding }, 'a chain differs from its signed checkpoint');
  }
  await announce(ctx, null, null, result);
  const { chainLength: checked } = result;
  yield { checked, total: checked, domain: result.chains.at(-1)!.domain, result };
}

async function* walkCenter(
  source: LedgerSource,
  centerId: number,
): AsyncGenerator<CenterProgress, CenterReport> {
  const steps = verifyChains(source, centerId);
  for (;;) {
    const step = await steps.next();
    if (step.done) return step.value;
    yield { ...step.value, result: null };
  }
}

/** Null unless the replica was read to the end and everything on it is valid. */
async function* walkOnReplica(
  source: LedgerSource,
  centerId: number,
): AsyncGenerator<CenterProgress, CenterReport | null> {
  try {
    const report = yield* walkCenter(source, centerId);
    return report.valid ? report : null;
  } catch {
    return null;
  }
}

export async function verifyCenter(ctx: ProofContext): Promise<CenterReport> {
  let result: CenterReport | null = null;
  for await (const step of verifyCenterSteps(ctx)) result = step.result;
  return result!;
}

async function announce(
  ctx: ProofContext,
  dpuId: string | null,
  domain: string | null,
  verdict: RecordReport,
) {
  const { valid, chainLength, brokenAt } = verdict;
  await transact(ctx, async (work) =>
    work.emit('dpu.verified', { dpuId, domain, valid, chainLength, brokenAt }),
  );
}
