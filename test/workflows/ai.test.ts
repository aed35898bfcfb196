import { expect, test, vi } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeStage } from '../helpers/world.ts';
import { execute, makeWorkflow, outsideSystem, reaches, show } from './steps.ts';

vi.setConfig({ testTimeout: 90_000 });

const asking = [
  {
    name: 'draft',
    kind: 'ai',
    system: 'Be brief.',
    prompt: 'Sum up {{ parameters.topic }}.',
    retry: { limit: 1, backoffSeconds: 0 },
  },
];

const completion = (content: string) => ({
  json: {
    model: 'test-model-1',
    choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
  },
});

test('an AI step calls the configured endpoint and marks the record as AI-generated', async () => {
  const model = await outsideSystem((_, count) => (count === 1 ? { status: 503 } : completion('A summary.')));
  const running = await testApp({
    worker: true,
    env: { AI_BASE_URL: `${model.url}/v1`, AI_API_KEY: 'ai-secret', AI_MODEL: 'test-model' },
  });
  const { token, center } = await makeStage(running.app);
  const executionId = await execute(running, token, await makeWorkflow(running, token, asking), {
    topic: 'bees',
  });
  const done = await reaches(running, token, executionId, 'COMPLETED');
  expect(done.steps[0]).toMatchObject({
    attempts: 2,
    output: { text: 'A summary.', model: 'test-model-1', finishReason: 'stop' },
  });
  const [, asked] = model.received;
  expect(asked).toMatchObject({
    url: '/v1/chat/completions',
    headers: { authorization: 'Bearer ai-secret', 'idempotency-key': `${executionId}:0` },
  });
  expect(JSON.parse(asked!.body)).toMatchObject({
    model: 'test-model',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Sum up bees.' },
    ],
  });
  const record = await running.app.db
    .forCenter(center.id)
    .dpu.findUniqueOrThrow({ where: { id: done.dpuId } });
  expect(record).toMatchObject({ evidenceLevel: 'DRAFT', aiGenerated: true });
});

test('without a configured endpoint the step fails with AI_BASE_URL in the error', async () => {
  const running = await testApp({ worker: true });
  const { token } = await makeStage(running.app);
  const executionId = await execute(running, token, await makeWorkflow(running, token, asking), {
    topic: 'bees',
  });
  const failed = await reaches(running, token, executionId, 'FAILED');
  expect(failed.steps[0]).toMatchObject({ attempts: 1, error: expect.stringContaining('AI_BASE_URL') });
});

test('a response that is not a completion fails the step', async () => {
  const model = await outsideSystem(() => ({ json: { hello: 'world' } }));
  const running = await testApp({ worker: true, env: { AI_BASE_URL: model.url, AI_MODEL: 'm' } });
  const { token } = await makeStage(running.app);
  const executionId = await execute(running, token, await makeWorkflow(running, token, asking), {
    topic: 'bees',
  });
  const failed = await reaches(running, token, executionId, 'FAILED');
  expect(failed.steps[0]).toMatchObject({ attempts: 2, error: expect.stringContaining('completion') });
});

test('over the quota of its center an AI step waits, and no call is made', async () => {
  const model = await outsideSystem(() => completion('A summary.'));
  const running = await testApp({
    worker: true,
    env: { AI_BASE_URL: `${model.url}/v1`, AI_MODEL: 'test-model', RATE_AI: '1' },
  });
  const { token } = await makeStage(running.app);
  const workflow = await makeWorkflow(running, token, asking);
  const first = await execute(running, token, workflow, { topic: 'bees' });
  await reaches(running, token, first, 'COMPLETED');
  const second = await execute(running, token, workflow, { topic: 'bees' });
  await eventually(async () => (await show(running, token, second)).steps[0]?.status === 'WAITING');
  expect((await show(running, token, second)).steps[0]).toMatchObject({ attempts: 0, error: null });
  expect(model.received).toHaveLength(1);
  // Another center has its own quota.
  const other = await makeStage(running.app);
  const third = await execute(running, other.token, await makeWorkflow(running, other.token, asking), {
    topic: 'bees',
  });
  await reaches(running, other.token, third, 'COMPLETED');
});
