import type { Dpu } from '../../../db/generated/prisma/client.ts';
import { DomainError } from '../../../lib/errors.ts';
import { DECISION_DOMAIN } from '../../../proof-kit/index.ts';
import { type Context, currentCenterId } from '../../context.ts';
import { findSealedDecision } from '../../proof/sealed-decision.ts';
import { transact } from '../../unit-of-work.ts';
import { chainDomains } from '../chains.ts';
import { dpuNotFound } from '../dpu.ts';
import { departureFromSigned } from './against-checkpoints.ts';
import { type CenterReport, verifyChains } from './center.ts';
import { type ChainState, readChainState } from './chain-state.ts';
import { type LedgerSource, sourceOf } from './source.ts';
import { drain, type Progress, walkRanges } from './walk.ts';

export interface RecordReport {
  valid: boolean;
  chainLength: number;
  genesisHash: string | null;
  brokenAt: number | null;
}

export interface CenterProgress {
  checked: number;
  total: number;
  /** The chain that is being walked. */
  domain: string;
  /** The verdict, once everything has been looked at. */
  result: CenterReport | null;
}

/** Verifies the chain of a DPU from genesis to its record. */
export async function verifyDpu(ctx: Context, id: string): Promise<RecordReport> {
  // Not through the record: where it is missing, that is the finding.
  const dpu = await ctx.db.dpu.findUnique({ where: { id } });
  if (!dpu) throw dpuNotFound();
  const source = sourceOf(ctx.app);
  const state = await readChainState(source.db, dpu.centerId, dpu.domain);
  const { bad, lastHash } = await drain(walkRanges(source, state, dpu.index + 1));
  const inItself = bad ?? (await firstUnexplained(source, state, dpu.index, lastHash));
  const departed = inItself === null ? await departureFromSigned(source, state) : null;
  const signed = departed !== null && departed.index <= dpu.index ? departed.index : null;
  const brokenAt = inItself ?? signed ?? ((await isAsSealed(ctx, dpu)) ? null : dpu.index);
  const verdict = {
    valid: brokenAt === null,
    chainLength: dpu.index + 1,
    genesisHash: state.genesisHash,
    brokenAt,
  };
  await announce(ctx, id, dpu.domain, verdict);
  return verdict;
}

/** Whether the decision that people see beside a record is the one that was sealed: what it says is not in the open on the chain. */
async function isAsSealed(ctx: Context, { id, centerId, domain }: Dpu): Promise<boolean> {
  if (domain !== DECISION_DOMAIN) return true;
  try {
    return (await findSealedDecision(ctx.app.db, centerId, 'dpu_id', id)) !== null;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'CHAIN_BROKEN') return false;
    throw error;
  }
}

/**
 * What a walk does not see: a record that is empty without having been erased, and a last one for whose hash neither its
 * successor nor the head vouches.
 */
async function firstUnexplained(
  { db }: LedgerSource,
  { chainId }: ChainState,
  index: number,
  hash: string | null,
): Promise<number | null> {
  const { rows } = await db.query<{ empty: number | null; vouched: string | null }>({
    name: 'first_unexplained',
    text: `
      SELECT (SELECT min(r.index) FROM ledger_record r LEFT JOIN dpu d ON d.chain_id = r.chain_id AND d.index = r.index
              WHERE r.chain_id = $1 AND r.index <= $2::int AND r.content = '' AND d.erased_at IS NULL) AS empty,
             (SELECT coalesce(n.previous_hash, CASE WHEN c.size = $2::int + 1 THEN c.head_hash END)
              FROM ledger_chain c LEFT JOIN ledger_record n ON n.chain_id = c.id AND n.index = $2::int + 1
              WHERE c.id = $1) AS vouched`,
    values: [chainId, index],
  });
  const { empty, vouched } = rows[0]!;
  return empty ?? (hash === vouched ? null : index);
}

/** Verifies every chain of the caller's center, telling how far it got after each step. */
export async function* verifyCenterSteps(ctx: Context): AsyncGenerator<CenterProgress> {
  const steps = verifyChains(sourceOf(ctx.app), currentCenterId(ctx));
  let last: Progress = { checked: 0, total: 0, domain: chainDomains[0] };
  for (;;) {
    const step = await steps.next();
    if (!step.done) {
      last = step.value;
      yield { ...last, result: null };
      continue;
    }
    const result = step.value;
    for (const { domain, finding } of result.chains) {
      if (finding) ctx.app.log.error({ domain, finding }, 'a chain is not what was signed about it');
    }
    await announce(ctx, null, null, result);
    yield { ...last, checked: result.chainLength, result };
    return;
  }
}

export async function verifyCenter(ctx: Context): Promise<CenterReport> {
  let result: CenterReport | null = null;
  for await (const step of verifyCenterSteps(ctx)) result = step.result;
  return result!;
}

async function announce(ctx: Context, dpuId: string | null, domain: string | null, verdict: RecordReport) {
  const { valid, chainLength, brokenAt } = verdict;
  await transact(ctx, async (work) =>
    work.emit('dpu.verified', { dpuId, domain, valid, chainLength, brokenAt }),
  );
}
