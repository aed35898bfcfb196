import { systemContext } from '../../src/domain/context.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import { makeCenter } from '../../test/helpers/world.ts';
import { closedLoop } from '../harness/measure.ts';
import type { Scenario } from '../harness/scenario.ts';
import type { Stage } from '../harness/stage.ts';
import { naiveAppend, UNCHAINED_TABLES, unchainedInsert } from '../limits/append.ts';

const CALLERS = 64;
const content = JSON.stringify({ decision: 'x'.repeat(400) });

const ours = (stage: Stage, centerIds: number[]) => {
  const contexts = centerIds.map((centerId) => systemContext(stage.app, 'bench', centerId));
  return closedLoop(CALLERS, (caller) => recordDpu(contexts[caller % contexts.length]!, { content }));
};

export const sealOneChain: Scenario = {
  name: 'seal-one-chain',
  title: 'seals on one chain, 64 callers',
  limit: 'naive locked append, 64 callers',
  unit: 'seals/s',
  target: 10,
  async prepare(stage) {
    const other = await makeCenter(stage.app);
    const { admin } = stage;
    const { rows } = await admin.query<{ id: number }>(`SELECT ledger_chain_for($1, 'platform') AS id`, [
      other.id,
    ]);
    return {
      ours: ours(stage, [stage.centerId]),
      limit: closedLoop(CALLERS, () => naiveAppend(admin, other.id, rows[0]!.id, content)),
    };
  },
};

export const sealManyChains: Scenario = {
  name: 'seal-many-chains',
  title: 'seals on 64 chains, 64 callers',
  limit: 'the same rows inserted without any chain',
  unit: 'seals/s',
  target: 0.5,
  async prepare(stage) {
    await stage.admin.query(UNCHAINED_TABLES);
    const centers: number[] = [];
    for (let i = 0; i < CALLERS; i++) centers.push((await makeCenter(stage.app)).id);
    return {
      ours: ours(stage, centers),
      limit: closedLoop(CALLERS, (caller) => unchainedInsert(stage.admin, centers[caller]!, content)),
    };
  },
};
