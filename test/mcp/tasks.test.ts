import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { argumentsDigest } from '../../packages/client/src/digest.ts';
import { systemContext } from '../../src/domain/context.ts';
import { rejectBySystem } from '../../src/domain/decisions/approve/system-rejection.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { type SerializedTaskReference, send, taskClient } from './clients.ts';
import { failure, harmless, input, type McpStage, mcpStage, risky } from './mcp-stage.ts';

let running: TestApp;
let second: TestApp;
let stage: McpStage;
beforeAll(async () => {
  running = await startTestApp();
  // Another process on the same database: no state of a task may live in a process.
  second = await startTestApp({ database: running.database });
  stage = await mcpStage(running);
});
afterAll(async () => {
  await second.close();
  await running.close();
});

describe('a pending decision is a task', () => {
  test('that the official extension follows until it is decided', async () => {
    const { session, close } = await taskClient(running.url, stage.key);
    onTestFinished(close);
    const execution = await session.callTool('request_decision', risky());
    expect(execution.kind).toBe('task');
    const settled = execution.settle();
    await stage.approve(execution.handle!.taskId);
    const result = resultFromTaskOutcome((await settled).outcome) as Parsed;
    expect(result.structuredContent).toMatchObject({
      eventId: execution.handle!.taskId,
      outcome: 'completed',
      status: 'sealed',
      argumentsDigest: await argumentsDigest(input),
      dpu: { status: 'sealed', chainHash: expect.stringMatching(/^sha256:/) },
    });
  });

  test('that another client can resume in another process after the first was killed', async () => {
    const program = fileURLToPath(new URL('./waiting-client.ts', import.meta.url));
    const first = spawn(process.execPath, [program, running.url, stage.key, JSON.stringify(risky())]);
    const [printed] = (await once(first.stdout, 'data')) as [Buffer];
    first.kill('SIGKILL');
    await once(first, 'exit');
    const reference = JSON.parse(printed.toString()) as SerializedTaskReference;
    const after = await taskClient(second.url, stage.key);
    onTestFinished(after.close);
    await stage.approve(reference.taskId, { result: 'rejected', reason: 'Too much.' });
    const resumed = await after.session.resumeTask(reference);
    const result = resultFromTaskOutcome((await resumed.settle()).outcome) as Parsed;
    expect(result.structuredContent).toMatchObject({ outcome: 'rejected', reason: 'Too much.' });
  });

  test('that reports its status in every process', async () => {
    const created = await stage.tool('request_decision', risky());
    expect(created).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null });
    for (const { url } of [running, second]) {
      const { body } = await send(url, stage.key, 'tasks/get', { taskId: created.taskId });
      expect(body.result).toMatchObject({
        resultType: 'complete',
        taskId: created.taskId,
        status: 'working',
        pollIntervalMs: expect.any(Number),
      });
    }
  });

  test('that tasks/cancel withdraws', async () => {
    const taskId = await stage.request();
    expect((await stage.raw('tasks/cancel', { taskId })).body.result).toMatchObject({
      resultType: 'complete',
    });
    expect((await stage.task(taskId)).result).toMatchObject({ status: 'cancelled' });
    const [approval] = await running.app.db
      .forCenter(stage.center.id)
      .approval.findMany({ where: { eventId: taskId } });
    expect(approval!.content).toMatchObject({
      reason: 'withdrawn',
      by: { kind: 'system' },
      result: 'rejected',
    });
    // Again, and after the end of a decided one: acknowledged without effect.
    expect((await stage.raw('tasks/cancel', { taskId })).body.error).toBeUndefined();
    const sealed = await stage.request();
    await stage.approve(sealed);
    expect((await stage.raw('tasks/cancel', { taskId: sealed })).body.error).toBeUndefined();
    expect((await stage.task(sealed)).result).toMatchObject({ status: 'completed' });
  });

  test('that is completed when the decision expires, with that outcome', async () => {
    const taskId = await stage.request();
    await rejectBySystem(systemContext(running.app, 'test', stage.center.id), taskId, 'expired');
    expect((await stage.task(taskId)).result).toMatchObject({
      status: 'completed',
      result: { resultType: 'complete', structuredContent: { outcome: 'expired', reason: 'expired' } },
    });
  });

  test('whose rejection by a person is not reported as a withdrawal', async () => {
    const taskId = await stage.request();
    await stage.approve(taskId, { result: 'rejected', reason: 'withdrawn' });
    const { result } = (await stage.task(taskId)).result;
    expect(result.structuredContent).toMatchObject({ outcome: 'rejected', reason: 'withdrawn' });
  });

  test('that is found again by its idempotency key, decided or not', async () => {
    const key = { idempotencyKey: 'the-same-action' };
    const taskId = await stage.request(key);
    expect(await stage.request(key)).toBe(taskId);
    await stage.approve(taskId, { result: 'rejected' });
    expect((await stage.tool('request_decision', risky(key))).structuredContent).toMatchObject({
      eventId: taskId,
      outcome: 'rejected',
    });
    const other = await stage.tool('request_decision', { ...harmless, ...key });
    expect(other).toMatchObject(failure('CONFLICT'));
  });

  test('only for clients that support tasks', async () => {
    const { body } = await send(
      running.url,
      stage.key,
      'tools/call',
      { name: 'request_decision', arguments: risky() },
      { tasks: false },
    );
    expect(body.result.structuredContent.outcome).toBe('awaiting_approval');
    const { eventId: taskId } = body.result.structuredContent;
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const refused = await send(running.url, stage.key, method, { taskId }, { tasks: false });
      expect(refused.body.error.code).toBe(-32_021);
    }
    expect((await stage.raw('tasks/update', { taskId, inputResponses: {} })).body.result).toBeDefined();
  });

  test('but a decision that needs no approval is completed immediately', async () => {
    const result = await stage.tool('request_decision', harmless);
    expect(result.structuredContent).toMatchObject({ outcome: 'completed', dpu: { status: 'sealed' } });
  });
});
