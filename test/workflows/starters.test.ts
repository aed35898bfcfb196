import { expect, test, vi } from 'vitest';
import { Vertical } from '../../src/db/generated/prisma/enums.ts';
import { createStarterWorkflows, starterWorkflows } from '../../src/domain/workflows/starters.ts';
import { testApp } from '../helpers/app.ts';
import { makeMember, makeStage } from '../helpers/world.ts';
import { execute, reaches } from './steps.ts';

vi.setConfig({ testTimeout: 90_000 });

test('the starter workflows of every vertical run with the data of a new center', async () => {
  const running = await testApp({ worker: true });
  const { app, call } = running;
  for (const vertical of Object.values(Vertical)) {
    const { center, token } = await makeStage(app, { vertical });
    await makeMember(app, center.id, 'INSTRUCTOR');
    await createStarterWorkflows(app.db.acrossTenants, center.id, vertical, new Date());
    const { body } = await call('GET', '/workflows', { token });
    expect(body.data).toHaveLength(starterWorkflows(vertical).length);
    for (const { id, type, name } of body.data as { id: string; type: string; name: string }[]) {
      if (type === 'MANUAL') {
        await reaches(running, token, await execute(running, token, id), 'AWAITING_REVIEW');
        continue;
      }
      const done = await reaches(running, token, await execute(running, token, id), 'COMPLETED');
      if (type === 'SCHEDULED') expect(done.steps[0]!.output!['text'], name).toContain(center.name);
    }
    const decisions = await app.db.forCenter(center.id).decisionEvent.findMany();
    expect(decisions.length).toBeGreaterThan(0);
    expect(decisions[0]!.large).toMatchObject({ 'action.input': { facts: { members: 2, instructors: 1 } } });
  }
});

test('the manual starter workflow asks a person and records the decision', async () => {
  const running = await testApp({ worker: true });
  const { center, token } = await makeStage(running.app, { vertical: 'rehabilitation' });
  await createStarterWorkflows(running.app.db.acrossTenants, center.id, 'rehabilitation', new Date());
  const { body } = await running.call('GET', '/workflows', { token });
  const { id } = body.data.find(({ type }: { type: string }) => type === 'MANUAL');
  const executionId = await execute(running, token, id, { patient: 'Ann', sessionsPerWeek: 3 });
  const waiting = await reaches(running, token, executionId, 'AWAITING_REVIEW');
  expect(waiting.steps[1]!.input!['prompt']).toContain('Set Ann to 3 sessions a week?');
  const decide = `mutation ($input: DecideWorkflowReviewInput!) { decideWorkflowReview(input: $input) { id } }`;
  await running.graphql(decide, { input: { executionId, approved: true } }, token);
  await reaches(running, token, executionId, 'COMPLETED');
  const [decision] = await running.app.db.forCenter(center.id).decisionEvent.findMany();
  expect(decision).toMatchObject({
    actionType: 'therapy.plan_changed',
    large: { 'action.output': { approved: true } },
  });
});
