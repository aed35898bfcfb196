import { expect, test, vi } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeMember, makeStage } from '../helpers/world.ts';
import { execute, makeWorkflow, outsideSystem, reaches, show, text } from './steps.ts';

vi.setConfig({ testTimeout: 90_000 });

const DECIDE = /* GraphQL */ `
  mutation ($input: DecideWorkflowReviewInput!) { decideWorkflowReview(input: $input) { id status } }`;
const CANCEL = /* GraphQL */ `mutation ($id: ID!) { cancelWorkflowExecution(input: { id: $id }) { id status } }`;
const UPDATE = /* GraphQL */ `mutation ($input: UpdateWorkflowInput!) { updateWorkflow(input: $input) { version } }`;

const codeOf = ({ errors }: { errors?: { extensions: { code: string } }[] }) => errors?.[0]?.extensions.code;

const reviewed = (more: object = {}) => [
  text('before', 'Pay {{ parameters.amount }}?'),
  { name: 'review', kind: 'human_review', prompt: '{{ steps.before.text }}', ...more },
  text('after', 'approved: {{ steps.review.approved }}, {{ steps.review.reason }}'),
];

test('a review waits for an allowed role, then the run continues with the decision', async () => {
  const running = await testApp({ worker: true });
  const { app, graphql } = running;
  const { token, center, admin } = await makeStage(app);
  const instructor = await makeMember(app, center.id, 'INSTRUCTOR');
  const id = await makeWorkflow(running, token, reviewed());
  const executionId = await execute(running, token, id, { amount: 5 });
  const waiting = await reaches(running, token, executionId, 'AWAITING_REVIEW');
  expect(waiting.steps[1]).toMatchObject({
    status: 'WAITING',
    input: { prompt: 'Pay 5?', roles: ['ADMIN'] },
  });
  expect(waiting).toMatchObject({ dpuId: null, evidenceLevel: null, completedAt: null });

  const asked = await app.db
    .forCenter(center.id)
    .platformEvent.findMany({ where: { type: 'agent.approval.requested' } });
  expect(asked).toMatchObject([{ data: { executionId, workflowId: id, step: 'review', roles: ['ADMIN'] } }]);

  const input = { executionId, approved: true, reason: 'fine' };
  expect(codeOf(await graphql(DECIDE, { input }, instructor.token))).toBe('INSUFFICIENT_ROLE');
  expect((await show(running, token, executionId)).status).toBe('AWAITING_REVIEW');
  expect((await graphql(DECIDE, { input }, token)).data.decideWorkflowReview.status).toBe('RUNNING');
  const done = await reaches(running, token, executionId, 'COMPLETED');
  expect(done.steps[1]!.output).toEqual({ approved: true, reason: 'fine', reviewerId: admin.actor.id });
  expect(done.steps[2]!.output).toEqual({ text: 'approved: true, fine' });
  expect(codeOf(await graphql(DECIDE, { input }, token))).toBe('CONFLICT');

  const moves = await app.db.forCenter(center.id).platformEvent.findMany({
    where: { type: 'workflow.transitioned' },
    orderBy: { id: 'asc' },
  });
  expect(moves.map(({ data }) => (data as { to: string }).to)).toEqual([
    'RUNNING',
    'AWAITING_REVIEW',
    'RUNNING',
    'COMPLETED',
  ]);
  const audits = await app.db.forCenter(center.id).auditEntry.findMany({
    where: { type: 'workflow.executed', actorId: admin.actor.id },
    orderBy: { id: 'asc' },
  });
  expect(audits.map(({ detail }) => (detail as { change: string }).change)).toEqual(['started', 'reviewed']);
});

test('more concurrent reviews than database connections are all decided', async () => {
  const running = await testApp({ worker: true, env: { DATABASE_POOL: '5' } });
  const { token } = await makeStage(running.app);
  const id = await makeWorkflow(running, token, reviewed());
  const executions: string[] = [];
  for (let i = 0; i < 8; i++) executions.push(await execute(running, token, id, { amount: i }));
  for (const executionId of executions) await reaches(running, token, executionId, 'AWAITING_REVIEW');
  const answers = await Promise.all(
    executions.map((executionId) =>
      running.graphql(DECIDE, { input: { executionId, approved: true } }, token),
    ),
  );
  expect(answers.map(({ data }) => data?.decideWorkflowReview?.status)).toEqual(
    executions.map(() => 'RUNNING'),
  );
});

test('of concurrent decisions one succeeds', async () => {
  const running = await testApp({ worker: true });
  const { token } = await makeStage(running.app);
  const executionId = await execute(running, token, await makeWorkflow(running, token, reviewed()), {
    amount: 1,
  });
  await reaches(running, token, executionId, 'AWAITING_REVIEW');
  const answers = await Promise.all(
    [true, false, true, false].map((approved) =>
      running.graphql(DECIDE, { input: { executionId, approved } }, token),
    ),
  );
  expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
  expect(answers.filter((answer) => codeOf(answer) === 'CONFLICT')).toHaveLength(3);
});

test('a rejection fails the run, or is passed on if the step says so', async () => {
  const running = await testApp({ worker: true });
  const { token } = await makeStage(running.app);
  const run = async (more: object) => {
    const executionId = await execute(running, token, await makeWorkflow(running, token, reviewed(more)), {
      amount: 1,
    });
    await reaches(running, token, executionId, 'AWAITING_REVIEW');
    const input = { executionId, approved: false, reason: 'no' };
    expect((await running.graphql(DECIDE, { input }, token)).errors).toBeUndefined();
    return executionId;
  };
  const failed = await reaches(running, token, await run({}), 'FAILED');
  expect(failed).toMatchObject({ error: 'review: rejected', dpuId: expect.stringMatching(/^dpu_/) });
  const went = await reaches(running, token, await run({ onReject: 'continue' }), 'COMPLETED');
  expect(went.steps[2]!.output).toEqual({ text: 'approved: false, no' });
});

test('a cancelled run does nothing more, whatever its step', async () => {
  const running = await testApp({ worker: true });
  const { token } = await makeStage(running.app);
  const release = Promise.withResolvers<void>();
  const outside = await outsideSystem(async () => {
    await release.promise;
    return {};
  });
  const id = await makeWorkflow(running, token, [
    { name: 'call', kind: 'http', url: outside.url },
    text('after'),
  ]);
  const inside = await execute(running, token, id);
  await expect.poll(() => outside.received.length).toBe(1);
  expect((await running.graphql(CANCEL, { id: inside }, token)).data.cancelWorkflowExecution.status).toBe(
    'CANCELLED',
  );
  release.resolve();

  const waiting = await execute(running, token, await makeWorkflow(running, token, reviewed()), {
    amount: 1,
  });
  await reaches(running, token, waiting, 'AWAITING_REVIEW');
  await running.graphql(CANCEL, { id: waiting }, token);

  // A later run that ends shows that the worker had its chance to continue the canceled ones.
  const later = await execute(running, token, await makeWorkflow(running, token, [text('a')]));
  await reaches(running, token, later, 'COMPLETED');
  for (const executionId of [inside, waiting]) {
    const cancelled = await show(running, token, executionId);
    expect(cancelled).toMatchObject({ status: 'CANCELLED', dpuId: expect.stringMatching(/^dpu_/) });
    expect(cancelled.steps.at(-1)).toMatchObject({ status: 'FAILED', error: 'cancelled' });
    expect(codeOf(await running.graphql(CANCEL, { id: executionId }, token))).toBe('CONFLICT');
  }
});

test('a running execution keeps the version it started with', async () => {
  const running = await testApp({ worker: true });
  const { token } = await makeStage(running.app);
  const id = await makeWorkflow(running, token, reviewed());
  const executionId = await execute(running, token, id, { amount: 1 });
  await reaches(running, token, executionId, 'AWAITING_REVIEW');
  const input = { id, name: 'New', type: 'MANUAL', steps: [text('other')] };
  expect((await running.graphql(UPDATE, { input }, token)).data.updateWorkflow.version).toBe(2);
  await running.graphql(DECIDE, { input: { executionId, approved: true } }, token);
  const done = await reaches(running, token, executionId, 'COMPLETED');
  expect(done.version).toBe(1);
  expect(done.steps.map(({ name }) => name)).toEqual(['before', 'review', 'after']);
});
