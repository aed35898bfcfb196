import type { Examples, RouteStage } from './stage.ts';

/** The id of a decision proof unit of the stage's own center. */
async function recordedDpu({ running, tokens }: RouteStage): Promise<string> {
  const { body } = await running.call('POST', '/dpu/demo', { token: tokens.admin, body: {} });
  return body.data.id;
}

const ofDpu = async (stage: RouteStage) => ({
  caller: 'admin' as const,
  params: { id: await recordedDpu(stage) },
});

export const dpuExamples: Examples = {
  createDemoDpu: () => ({
    caller: 'admin',
    body: { content: 'An example', referenceType: 'demo', referenceId: 'ref-1', tags: ['example'] },
  }),
  exportDpu: ofDpu,
  getDpu: ofDpu,
  getDpuResponsibility: ofDpu,
  getDpuStats: () => ({ caller: 'admin' }),
  updateDpu: async (stage) => ({
    ...(await ofDpu(stage)),
    body: { evidenceLevel: 'DOCUMENTED', metadata: { note: 'example' } },
  }),
  verifyChain: () => ({ caller: 'admin' }),
  verifyDpu: ofDpu,
};
