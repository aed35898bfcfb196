// The verification of a center's chains, shared by the service, its pages and the command.

import { chainDomains } from '../../../ledger/chains/chains.ts';
import type { Finding } from '../../../ledger/notes/faults.ts';
import { type AcceptedLoss, readLosses } from '../../../ledger/recovery/losses.ts';
import { readRefusal } from '../../../ledger/signing/state.ts';
import { readChainState } from '../../../ledger/verify/chain-state.ts';
import { compareWithCheckpoints } from '../../../ledger/verify/compare.ts';
import type { LedgerSource } from '../../../ledger/verify/source.ts';
import { type ChainReport, type Progress, walkChain } from '../../../ledger/verify/walk.ts';
import { findDifferences } from './differences/compare.ts';
import type { Difference } from './differences/difference.ts';

export interface CenterReport {
  valid: boolean;
  /** The number of records on all chains. */
  chainLength: number;
  genesisHash: string | null;
  /** The first bad index of the first broken chain. */
  brokenAt: number | null;
  chains: CheckedChain[];
  /** Visible rows that differ from what was sealed. */
  differences: Difference[];
  /** Lost records whose loss an administrator accepted, from the center's journal. */
  losses: AcceptedLoss[];
}

interface CheckedChain extends ChainReport {
  /** The mismatch with the signed checkpoints, if that is the fault. */
  finding: Finding | null;
}

/** Walks every chain, compares each with its checkpoints, and the visible rows with what was sealed. */
export async function* verifyChains(
  source: LedgerSource,
  centerId: number | null,
): AsyncGenerator<Progress, CenterReport> {
  const states = await Promise.all(
    chainDomains.map((domain) => source.atOnce(() => readChainState(source.db, centerId, domain))),
  );
  const total = states.reduce((sum, { size }) => sum + size, 0);
  const walked: CheckedChain[] = [];
  let before = 0;
  for (const state of states) {
    const report = yield* shifted(walkChain(source, state), before, total);
    const finding = report.valid ? await compareWithCheckpoints(source, state) : null;
    walked.push({ ...report, ...brokenWith(report.brokenAt, finding?.index), finding });
    before += report.chainLength;
  }
  const differences = await source.snapshot((db) => findDifferences(db, centerId, misdatedRecords(walked)));
  // A chain that cannot be signed must not be reported as valid.
  const isRefused = (await readRefusal(source.db)) !== null;
  const chains = walked.map((chain) => ({
    ...chain,
    ...brokenWith(chain.brokenAt, firstIndex(differences, chain.domain)),
  }));
  const broken = chains.find(({ valid }) => !valid);
  return {
    valid: !broken && differences.length === 0 && !isRefused,
    chainLength: chains.reduce((sum, { chainLength }) => sum + chainLength, 0),
    genesisHash: chains[0]!.genesisHash,
    brokenAt: broken?.brokenAt ?? null,
    chains,
    differences,
    losses: await readLosses(source.db, centerId),
  };
}

function misdatedRecords(chains: readonly CheckedChain[]): Difference[] {
  return chains.flatMap(({ domain: chain, misdated }) =>
    misdated.map((index) => ({
      table: 'ledger_record' as const,
      id: `${chain}/${index}`,
      chain,
      index,
      member: 'time',
    })),
  );
}

function brokenWith(known: number | null, found: number | undefined) {
  const brokenAt = found === undefined ? known : Math.min(found, known ?? found);
  return { valid: brokenAt === null, brokenAt };
}

function firstIndex(differences: readonly Difference[], domain: string): number | undefined {
  const indexes = differences.flatMap(({ chain, index }) =>
    chain === domain && index !== null ? [index] : [],
  );
  return indexes.length > 0 ? Math.min(...indexes) : undefined;
}

async function* shifted(
  walk: AsyncGenerator<Progress, ChainReport>,
  before: number,
  total: number,
): AsyncGenerator<Progress, ChainReport> {
  for (;;) {
    const step = await walk.next();
    if (step.done) return step.value;
    yield { domain: step.value.domain, checked: before + step.value.checked, total };
  }
}
