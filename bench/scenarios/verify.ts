import { systemContext } from '../../src/domain/context.ts';
import { verifyCenter } from '../../src/domain/ledger/verify/verify.ts';
import { fillChain } from '../harness/fill.ts';
import { wholeJob } from '../harness/measure.ts';
import type { Scenario } from '../harness/scenario.ts';

const RECORDS = 1_000_000;

export const verifyChain: Scenario = {
  name: 'verify-chain',
  title: `verification of a chain of ${RECORDS.toLocaleString('en')} records`,
  limit: 'a bare sha256() scan of the same rows',
  unit: 'records/s',
  target: 0.7,
  stage: 'million',
  pace: { rounds: 7 },
  async prepare(stage) {
    await fillChain(stage, 'platform', RECORDS);
    const ctx = systemContext(stage.app, 'bench', stage.centerId);
    const scan = `SELECT count(sha256(convert_to(content || coalesce(previous_hash, '') || timestamp, 'UTF8')))
                  FROM ledger_record`;
    return {
      ours: wholeJob(RECORDS, async () => {
        const { valid } = await verifyCenter(ctx);
        if (!valid) throw new Error('the chain does not verify');
      }),
      limit: wholeJob(RECORDS, () => stage.admin.query(scan)),
    };
  },
};
