import { expect, test, vi } from 'vitest';
import { claim } from '../../src/domain/workflows/engine/lease.ts';
import { runExecution } from '../../src/domain/workflows/engine/run.ts';
import { requeueStalled } from '../../src/domain/workflows/queue-run.ts';
import { testApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';
import { execute, makeWorkflow, outsideSystem, show, text } from './steps.ts';

vi.setConfig({ testTimeout: 90_000 });

async function stage(steps: unknown[] = [text('a')]) {
  const running = await testApp();
  const { token } = await makeStage(running.app);
  const executionId = await execute(running, token, await makeWorkflow(running, token, steps));
  const { superuser: pool } = running;
  const jobs = async () => {
    const { rows } = await pool.query(
      `SELECT run_at > now() AS later FROM graphile_worker.jobs WHERE task_identifier = 'run_workflow' ORDER BY id`,
    );
    return rows;
  };
  return { running, token, executionId, pool, jobs };
}

test('two jobs of one execution: one runs it, the other is retried later', async () => {
  const { running, token, executionId, jobs } = await stage();
  const held = await claim(running.app, executionId, { jobId: '1', attempt: 1 });
  expect(held).toMatchObject({ executionId, owner: expect.stringMatching(/^1:1:/) });
  expect(await claim(running.app, executionId, { jobId: '2', attempt: 1 })).toBeInstanceOf(Date);
  await runExecution(running.app, executionId, { jobId: '2', attempt: 1 });
  expect((await show(running, token, executionId)).steps).toEqual([]);
  expect(await jobs()).toEqual([{ later: true }]);
  // Another attempt of the job that holds the lease continues immediately: the queue has given up on the earlier one.
  await runExecution(running.app, executionId, { jobId: '1', attempt: 2 });
  expect((await show(running, token, executionId)).status).toBe('COMPLETED');
});

test('a runner whose lease was taken over writes nothing when it resumes', async () => {
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const outside = await outsideSystem(async (_, count) => {
    if (count > 1) return { json: { by: 'second' } };
    arrived.resolve();
    await release.promise;
    return { json: { by: 'first' } };
  });
  const { running, token, executionId } = await stage([
    { name: 'call', kind: 'http', url: outside.url },
    { name: 'decide', kind: 'record_decision', action: { type: 'once' } },
  ]);
  const slow = runExecution(running.app, executionId, { jobId: '7', attempt: 1 });
  await arrived.promise;
  await runExecution(running.app, executionId, { jobId: '7', attempt: 2 });
  release.resolve();
  await slow;
  const done = await show(running, token, executionId);
  expect(done).toMatchObject({ status: 'COMPLETED', steps: [{ output: { body: { by: 'second' } } }, {}] });
  expect(await running.app.db.acrossTenants.decisionEvent.count()).toBe(1);
  expect(await running.app.db.acrossTenants.dpu.count({ where: { referenceId: executionId } })).toBe(1);
});

test('an execution whose job is lost is queued again', async () => {
  const { running, token, executionId, pool, jobs } = await stage();
  await claim(running.app, executionId, { jobId: '1', attempt: 1 });
  await pool.query(`DELETE FROM graphile_worker._private_jobs`);
  await requeueStalled(running.app);
  expect(await jobs()).toEqual([]);
  await pool.query(`UPDATE workflow_execution SET lease_until = now() - interval '2 minutes'`);
  await requeueStalled(running.app);
  await requeueStalled(running.app);
  expect(await jobs()).toEqual([{ later: false }]);
  await runExecution(running.app, executionId, { jobId: '2', attempt: 1 });
  expect((await show(running, token, executionId)).status).toBe('COMPLETED');
});

test('a step that keeps crashing its worker fails in the end', async () => {
  const { running, token, executionId } = await stage();
  await running.app.db.acrossTenants.workflowStepRun.create({
    data: { executionId, position: 0, name: 'a', kind: 'template', status: 'RUNNING', attempts: 50 },
  });
  await runExecution(running.app, executionId, { jobId: '1', attempt: 1 });
  expect(await show(running, token, executionId)).toMatchObject({
    status: 'FAILED',
    steps: [{ status: 'FAILED', error: 'the step was interrupted too often' }],
  });
});
