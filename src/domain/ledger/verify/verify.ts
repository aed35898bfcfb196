import { type Context, currentCenterId, ownRows } from '../../context.ts';
import { transact } from '../../unit-of-work.ts';
import { chainDomains } from '../chains.ts';
import { dpuNotFound } from '../dpu.ts';
import { departureFromSigned } from './against-checkpoints.ts';
import { readChainState } from './chain-state.ts';
import { type ChainReport, drain, type Progress, walkChain, walkRanges } from './walk.ts';

export interface RecordReport {
  valid: boolean;
  chainLength: number;
  genesisHash: string | null;
  brokenAt: number | null;
}

export interface CenterReport extends RecordReport {
  chains: ChainReport[];
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
  const { db } = ctx.app;
  const state = await readChainState(db, dpu.centerId, dpu.domain);
  const { bad, lastHash } = await drain(walkRanges(db, state, dpu.index + 1));
  // The record's successor, or the head, vouches for its hash.
  const vouched = bad === null ? await vouchedHash(ctx, state.chainId!, dpu.index) : null;
  const inItself = bad ?? (lastHash === vouched ? null : dpu.index);
  const departed = inItself === null ? await departureFromSigned(ctx.app, state) : null;
  const brokenAt = inItself ?? (departed !== null && departed <= dpu.index ? departed : null);
  const verdict = {
    valid: brokenAt === null,
    chainLength: dpu.index + 1,
    genesisHash: state.genesisHash,
    brokenAt,
  };
  await announce(ctx, id, dpu.domain, verdict);
  return verdict;
}

async function vouchedHash(ctx: Context, chainId: number, index: number): Promise<string | null> {
  const { rows } = await ownRows(ctx).query<{ hash: string | null }>({
    name: 'vouched_hash',
    text: `SELECT coalesce(n.previous_hash, CASE WHEN c.size = $2::int + 1 THEN c.head_hash END) AS hash
           FROM ledger_chain c LEFT JOIN ledger_record n ON n.chain_id = c.id AND n.index = $2::int + 1
           WHERE c.id = $1`,
    values: [chainId, index],
  });
  return rows[0]?.hash ?? null;
}

/** Verifies every chain of the caller's center, telling how far it got after each step. */
export async function* verifyCenterSteps(ctx: Context): AsyncGenerator<CenterProgress> {
  const centerId = currentCenterId(ctx);
  const { db } = ctx.app;
  const states = await Promise.all(chainDomains.map((domain) => readChainState(db, centerId, domain)));
  const total = states.reduce((sum, { size }) => sum + size, 0);
  const chains: ChainReport[] = [];
  let before = 0;
  for (const state of states) {
    const walked = yield* tellProgress(walkChain(db, state), before, total);
    const brokenAt = walked.brokenAt ?? (await departureFromSigned(ctx.app, state));
    const verdict = { ...walked, valid: brokenAt === null, brokenAt };
    chains.push(verdict);
    before += verdict.chainLength;
  }
  const result = overall(chains);
  await announce(ctx, null, null, result);
  yield { checked: before, total, domain: 'audit', result };
}

async function* tellProgress(
  walk: AsyncGenerator<Progress, ChainReport>,
  before: number,
  total: number,
): AsyncGenerator<CenterProgress, ChainReport> {
  for (;;) {
    const step = await walk.next();
    if (step.done) return step.value;
    yield { checked: before + step.value.checked, total, domain: step.value.domain, result: null };
  }
}

export async function verifyCenter(ctx: Context): Promise<CenterReport> {
  let result: CenterReport | null = null;
  for await (const step of verifyCenterSteps(ctx)) result = step.result;
  return result!;
}

function overall(chains: ChainReport[]): CenterReport {
  const broken = chains.find(({ valid }) => !valid);
  return {
    valid: !broken,
    chainLength: chains.reduce((sum, { chainLength }) => sum + chainLength, 0),
    genesisHash: chains[0]!.genesisHash,
    brokenAt: broken?.brokenAt ?? null,
    chains,
  };
}

async function announce(ctx: Context, dpuId: string | null, domain: string | null, verdict: RecordReport) {
  const { valid, chainLength, brokenAt } = verdict;
  await transact(ctx, async (work) =>
    work.emit('dpu.verified', { dpuId, domain, valid, chainLength, brokenAt }),
  );
}
