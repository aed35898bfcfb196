import { systemContext } from '../../src/domain/context.ts';
import { verifyCenter } from '../../src/domain/decisions/prove/verify/verify.ts';
import { readChainState } from '../../src/domain/ledger/verify/chain-state.ts';
import { sourceOf } from '../../src/domain/ledger/verify/source.ts';
import { drain, walkChain } from '../../src/domain/ledger/verify/walk.ts';
import { fillChain } from '../harness/fill.ts';
import { wholeJob } from '../harness/measure.ts';
import type { Scenario } from '../harness/scenario.ts';
import type { Stage } from '../harness/stage.ts';

const RECORDS = 1_000_000;
const count = RECORDS.toLocaleString('en');

const shared = {
  limit: 'a bare sha256() scan of the same rows',
  unit: 'records/s',
  stage: 'million',
} as const;

const bareScan = (stage: Stage) =>
  wholeJob(RECORDS, () =>
    stage.admin.query(
      `SELECT count(sha256(convert_to(content || coalesce(previous_hash, '') || timestamp, 'UTF8'))) FROM ledger_record`,
    ),
  );

function mustHold(valid: boolean): void {
  if (!valid) throw new Error('the chain does not verify');
}

export const walkOneChain: Scenario = {
  ...shared,
  name: 'walk-chain',
  title: `walk over a chain of ${count} records`,
  target: 0.7,
  pace: { rounds: 7 },
  async prepare(stage) {
    await fillChain(stage, 'platform', RECORDS);
    const source = sourceOf(stage.app);
    const walk = async () => {
      const state = await readChainState(source.db, stage.centerId, 'platform');
      mustHold((await drain(walkChain(source, state))).valid);
    };
    return { ours: wholeJob(RECORDS, walk), limit: bareScan(stage) };
  },
};

export const verifyWholeCenter: Scenario = {
  ...shared,
  name: 'verify-center',
  title: `verification of a center of ${count} records, with the rows that people see`,
  target: 0.02,
  pace: { rounds: 1 },
  async prepare(stage) {
    await fillChain(stage, 'platform', RECORDS);
    const ctx = systemContext(stage.app, 'bench', stage.centerId);
    const verify = async () => mustHold((await verifyCenter(ctx)).valid);
    return { ours: wholeJob(RECORDS, verify), limit: bareScan(stage) };
  },
};
