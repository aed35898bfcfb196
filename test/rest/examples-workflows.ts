import { makeWorkflow, text } from '../workflows/steps.ts';
import type { Examples, RouteStage } from './stage.ts';

const makeOne = ({ running, admin }: RouteStage) => makeWorkflow(running, admin.token, [text('hello')]);

export const workflowExamples: Examples = {
  listWorkflows: async (stage) => {
    await makeOne(stage);
    return { caller: 'admin' };
  },
  executeWorkflow: async (stage) => ({
    caller: 'admin',
    params: { workflowId: await makeOne(stage) },
    body: { parameters: { name: 'Ann' } },
  }),
  listWorkflowExecutions: async (stage) => {
    const workflowId = await makeOne(stage);
    await stage.running.call('POST', `/workflows/${workflowId}/execute`, {
      token: stage.admin.token,
      body: {},
    });
    return { caller: 'admin', params: { workflowId }, query: { limit: '5' } };
  },
};
