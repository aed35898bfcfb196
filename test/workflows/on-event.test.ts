import { expect, test, vi } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { transact } from '../../src/domain/unit-of-work.ts';
import { startEventWorkflows } from '../../src/domain/workflows/start-event-workflows.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';
import { execute, makeWorkflow, reaches, text } from './steps.ts';

vi.setConfig({ testTimeout: 90_000 });

const seal = (running: TestApp, centerId: number) =>
  transact(systemContext(running.app, 'test', centerId), async (work) =>
    work.emit('dpu.sealed', { dpuId: 'dpu_x', chainHash: 'a'.repeat(64), domain: 'platform', actorId: 'x' }),
  );

async function jobs(running: TestApp, ...tasks: string[]): Promise<number> {
  const { rows } = await running.app.db
    .declared('acrossTenants')
    .query(`SELECT count(*)::int AS count FROM graphile_worker.jobs WHERE task_identifier = ANY ($1)`, [
      tasks,
    ]);
  return rows[0]!['count'];
}

/** Until the worker has no work left. */
async function quiet(running: TestApp): Promise<void> {
  await expect.poll(() => jobs(running, 'run_workflow', 'start_event_workflows')).toBe(0);
}

const executionsOf = (running: TestApp, workflowId: string) =>
  running.app.db.acrossTenants.workflowExecution.findMany({ where: { workflowId } });

test('an event starts matching workflows of its own center, which can read it', async () => {
  const running = await testApp({ worker: true });
  const { token, center } = await makeStage(running.app);
  const other = await makeStage(running.app);
  const onEvent = (eventPattern: string) => ({ type: 'EVENT', eventPattern });
  const read = [text('read', '{{ event.type }} of {{ event.data.domain }}')];
  const exact = await makeWorkflow(running, token, read, onEvent('dpu.sealed'));
  const wide = await makeWorkflow(running, token, read, onEvent('dpu.*'));
  const deaf = await makeWorkflow(running, token, read, onEvent('payment.*'));
  const foreign = await makeWorkflow(running, other.token, read, onEvent('*'));

  await seal(running, center.id);
  await quiet(running);
  for (const workflowId of [exact, wide]) {
    const [execution, ...more] = await executionsOf(running, workflowId);
    expect(more).toEqual([]);
    const done = await reaches(running, token, execution!.id, 'COMPLETED');
    expect(done.startedBy).toMatch(/^msg_/);
    expect(done.steps[0]!.output).toEqual({ text: 'dpu.sealed of platform' });
    // The same event again, as after a crash between the start and the end of the job.
    await startEventWorkflows(running.app, done.startedBy, []);
    expect(await executionsOf(running, workflowId)).toHaveLength(1);
  }
  for (const workflowId of [deaf, foreign]) expect(await executionsOf(running, workflowId)).toEqual([]);
});

test('an event without subscribers queues nothing', async () => {
  const running = await testApp();
  const { token, center } = await makeStage(running.app);
  const id = await makeWorkflow(running, token, [text('a')], { type: 'EVENT', eventPattern: 'dpu.*' });
  await running.graphql('mutation ($id: ID!) { pauseWorkflow(input: { id: $id }) { id } }', { id }, token);
  await seal(running, center.id);
  expect(await jobs(running, 'start_event_workflows')).toBe(0);
});

test('workflows that trigger each other, or themselves, terminate', async () => {
  const running = await testApp({ worker: true });
  const { token } = await makeStage(running.app);
  const onMoves = { type: 'EVENT', eventPattern: 'workflow.*' };
  const first = await makeWorkflow(running, token, [text('a')], onMoves);
  const second = await makeWorkflow(running, token, [text('b')], { ...onMoves, eventPattern: '*' });
  await execute(running, token, first);
  await quiet(running);
  // Its own start and end each trigger the second one, whose transitions already have the first among their causes.
  expect(await executionsOf(running, first)).toHaveLength(1);
  const answers = await executionsOf(running, second);
  expect(answers).toHaveLength(2);
  expect(answers.map(({ trail }) => trail)).toEqual([
    [first, second],
    [first, second],
  ]);
});
