import { expect, test, vi } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';
import { execute, makeWorkflow, outsideSystem, reaches, text } from './steps.ts';

vi.setConfig({ testTimeout: 90_000 });

test('a run executes its steps in order and creates a record of what happened', async () => {
  const running = await testApp({ worker: true });
  const { token, center, admin } = await makeStage(running.app);
  const outside = await outsideSystem(() => ({ json: { price: 12 } }));
  const id = await makeWorkflow(
    running,
    token,
    [
      text('greeting', 'Hello {{ parameters.name }} of {{ center.name }}'),
      {
        name: 'ask',
        kind: 'http',
        url: `${outside.url}/price?of={{ parameters.name }}`,
        headers: { 'X-Token': 'sesame' },
        body: { greeting: '{{ steps.greeting.text }}', times: '{{ parameters.times }}' },
      },
      { name: 'cheap', kind: 'condition', if: 'steps.ask.body.price < 20' },
      {
        name: 'decide',
        kind: 'record_decision',
        action: { type: 'order.placed', input: { price: '{{ steps.ask.body.price }}' } },
        tags: ['order'],
      },
    ],
    {
      parametersSchema: {
        type: 'object',
        properties: { name: { type: 'string' }, times: { type: 'integer', default: 2 } },
        required: ['name'],
      },
    },
  );
  const started = await running.call('POST', `/workflows/${id}/execute`, {
    token,
    body: { parameters: { name: 'Ann' } },
  });
  expect(started.body).toEqual({
    success: true,
    data: { executionId: expect.stringMatching(/^exe_/), status: 'RUNNING', startedAt: expect.any(String) },
  });
  const { executionId } = started.body.data;
  const done = await reaches(running, token, executionId, 'COMPLETED');
  expect(done.steps.map(({ name, status }) => [name, status])).toEqual([
    ['greeting', 'COMPLETED'],
    ['ask', 'COMPLETED'],
    ['cheap', 'COMPLETED'],
    ['decide', 'COMPLETED'],
  ]);
  expect(outside.received).toHaveLength(1);
  expect(outside.received[0]).toMatchObject({
    url: '/price?of=Ann',
    headers: { 'x-token': 'sesame', 'idempotency-key': `${executionId}:1` },
  });
  expect(JSON.parse(outside.received[0]!.body)).toEqual({
    greeting: `Hello Ann of ${center.name}`,
    times: 2,
  });
  // Credentials in headers are not stored with the step.
  expect(JSON.stringify(done.steps)).not.toContain('sesame');

  const decisions = await running.app.db.forCenter(center.id).decisionEvent.findMany();
  expect(decisions).toMatchObject([
    {
      source: 'WORKFLOW',
      type: 'workflow_step',
      actionType: 'order.placed',
      large: { 'action.input': { price: 12 } },
      tags: ['order'],
    },
  ]);

  const record = await running.app.db.acrossTenants.dpu.findUniqueOrThrow({
    where: { id: done.dpuId },
    include: { record: true },
  });
  expect(record).toMatchObject({
    evidenceLevel: 'DRAFT',
    aiGenerated: false,
    domain: 'platform',
    centerId: center.id,
    actorId: admin.actor.id,
  });
  const summary = JSON.parse(record.record.content);
  expect(summary.execution).toMatchObject({
    id: executionId,
    workflowId: id,
    status: 'COMPLETED',
    parameters: { name: 'Ann', times: 2 },
  });
  expect(summary.steps.map((step: { name: string }) => step.name)).toEqual([
    'greeting',
    'ask',
    'cheap',
    'decide',
  ]);
  expect(summary.steps[1].output).toEqual({ status: 200, body: { price: 12 } });

  const { body: six } = await running.call('GET', `/dpu/${done.dpuId}/responsibility`, { token });
  expect(six.data).toMatchObject({
    what: { referenceId: executionId, content: { execution: { id: executionId } } },
    why: { reason: `Workflow "Test", started by ${admin.actor.id}` },
    how: { method: expect.stringContaining('workflow') },
  });

  const listed = await running.call('GET', `/workflows/${id}/executions`, { token });
  expect(listed.body.data).toEqual([
    {
      executionId,
      status: 'COMPLETED',
      startedAt: started.body.data.startedAt,
      completedAt: done.completedAt,
      dpuId: done.dpuId,
      evidenceLevel: 'DRAFT',
    },
  ]);
  const workflows = await running.call('GET', '/workflows', { token });
  expect(workflows.body.data).toEqual([
    {
      id,
      name: 'Test',
      type: 'MANUAL',
      status: 'ACTIVE',
      vertical: 'rehabilitation',
      lastRun: started.body.data.startedAt,
    },
  ]);

  const moves = await running.app.db.forCenter(center.id).platformEvent.findMany({
    where: { type: 'workflow.transitioned' },
    orderBy: { id: 'asc' },
  });
  expect(moves.map(({ data }) => data)).toEqual([
    { workflowId: id, executionId, from: null, to: 'RUNNING', dpuId: null },
    { workflowId: id, executionId, from: 'RUNNING', to: 'COMPLETED', dpuId: done.dpuId },
  ]);
  const audits = await running.app.db.forCenter(center.id).auditEntry.findMany({
    where: { type: 'workflow.executed' },
    orderBy: { id: 'asc' },
  });
  expect(audits.map(({ target, detail }) => [target, (detail as { change: string }).change])).toEqual([
    [executionId, 'started'],
    [executionId, 'completed'],
  ]);
});

test('a false condition ends the run, fails it, or jumps to a later step', async () => {
  const running = await testApp({ worker: true });
  const { token } = await makeStage(running.app);
  const run = async (otherwise: string) => {
    const id = await makeWorkflow(running, token, [
      { name: 'check', kind: 'condition', if: 'parameters.amount > 10', otherwise },
      text('large'),
      text('always'),
    ]);
    return execute(running, token, id, { amount: 5 });
  };
  const statuses = (steps: { status: string }[]) => steps.map(({ status }) => status);

  const ended = await reaches(running, token, await run('end'), 'COMPLETED');
  expect(statuses(ended.steps)).toEqual(['COMPLETED', 'SKIPPED', 'SKIPPED']);
  const jumped = await reaches(running, token, await run('always'), 'COMPLETED');
  expect(statuses(jumped.steps)).toEqual(['COMPLETED', 'SKIPPED', 'COMPLETED']);
  const failed = await reaches(running, token, await run('fail'), 'FAILED');
  expect(statuses(failed.steps)).toEqual(['FAILED']);
  expect(failed.error).toContain('parameters.amount > 10');
  expect(failed.dpuId).toMatch(/^dpu_/);
});

test('a step is retried up to its limit, with the same key and only for temporary failures', async () => {
  const running = await testApp({ worker: true });
  const { token } = await makeStage(running.app);
  const recovers = await outsideSystem((_, count) => (count < 3 ? { status: 503 } : {}));
  const down = await outsideSystem(() => ({ status: 500 }));
  const refuses = await outsideSystem(() => ({ status: 422 }));
  const call = (url: string) => [{ name: 'call', kind: 'http', url, retry: { limit: 2, backoffSeconds: 0 } }];

  const first = await execute(running, token, await makeWorkflow(running, token, call(recovers.url)));
  const done = await reaches(running, token, first, 'COMPLETED');
  expect(done.steps[0]).toMatchObject({ attempts: 3, error: null });
  expect(new Set(recovers.received.map(({ headers }) => headers['idempotency-key']))).toEqual(
    new Set([`${first}:0`]),
  );

  const second = await execute(running, token, await makeWorkflow(running, token, call(down.url)));
  const failed = await reaches(running, token, second, 'FAILED');
  expect(failed.steps[0]).toMatchObject({ attempts: 3, status: 'FAILED', error: 'the answer was 500' });
  expect(down.received).toHaveLength(3);

  const third = await execute(running, token, await makeWorkflow(running, token, call(refuses.url)));
  await reaches(running, token, third, 'FAILED');
  expect(refuses.received).toHaveLength(1);
});

test('a wait releases the worker and continues on time', async () => {
  const running = await testApp({ worker: true });
  const { token } = await makeStage(running.app);
  const id = await makeWorkflow(running, token, [
    { name: 'pause', kind: 'wait', until: 'timestamp(parameters.at)' },
    text('after'),
  ]);
  const far = await execute(running, token, id, { at: new Date(Date.now() + 86_400_000).toISOString() });
  const waiting = async () => {
    const { rows } = await running.app.db
      .declared('acrossTenants')
      .query(
        `SELECT j.locked_at FROM graphile_worker.jobs j WHERE task_identifier = 'run_workflow' AND run_at > now()`,
      );
    return rows;
  };
  await expect.poll(waiting).toEqual([{ locked_at: null }]);

  const at = new Date(Date.now() + 1_000);
  const soon = await execute(running, token, id, { at: at.toISOString() });
  const done = await reaches(running, token, soon, 'COMPLETED');
  expect(done.steps.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
  expect(new Date(done.steps[0]!.finishedAt!).getTime()).toBeGreaterThanOrEqual(at.getTime());
  const still = await reaches(running, token, far, 'RUNNING');
  expect(still.steps).toMatchObject([{ status: 'WAITING', name: 'pause' }]);
});

test('an event emitted by a step must have the data of its type, or the step fails', async () => {
  const running = await testApp({ worker: true });
  const { token, center } = await makeStage(running.app);
  const emit = (data: object) => [{ name: 'tell', kind: 'emit_event', type: 'attendance.verified', data }];
  const good = await execute(
    running,
    token,
    await makeWorkflow(
      running,
      token,
      emit({
        attendanceId: 'a1',
        attendeeId: '{{ parameters.who }}',
        sessionRef: 's',
        method: 'manual',
        dpuId: 'd',
        occurredAt: '{{ now }}',
      }),
    ),
    { who: 'ann' },
  );
  await reaches(running, token, good, 'COMPLETED');
  const events = await running.app.db.forCenter(center.id).platformEvent.findMany({
    where: { type: 'attendance.verified' },
  });
  expect(events).toMatchObject([{ data: { attendeeId: 'ann', executionId: good } }]);

  const bad = await execute(running, token, await makeWorkflow(running, token, emit({ attendanceId: 'a1' })));
  const failed = await reaches(running, token, bad, 'FAILED');
  expect(failed.steps[0]!.error).toContain('attendeeId');
});

test('an expression that cannot be evaluated fails the run with its reason', async () => {
  const running = await testApp({ worker: true });
  const { token } = await makeStage(running.app);
  const id = await makeWorkflow(running, token, [text('a', '{{ parameters.missing }}'), text('b')]);
  const failed = await reaches(running, token, await execute(running, token, id), 'FAILED');
  expect(failed.steps).toMatchObject([{ status: 'FAILED', error: expect.stringContaining('missing') }]);
});

test('any external response can be stored, and oversized output fails the step', async () => {
  const running = await testApp({ worker: true });
  const { token } = await makeStage(running.app);
  const broken = await outsideSystem(() => ({ json: { text: 'half \ud800 and \0', '\udfff': 1 } }));
  const id = await makeWorkflow(running, token, [
    { name: 'ask', kind: 'http', url: broken.url },
    text('say', '{{ steps.ask.body.text }}'),
    { name: 'keep', kind: 'record_decision', action: { type: 't', description: '{{ steps.say.text }}' } },
  ]);
  const done = await reaches(running, token, await execute(running, token, id), 'COMPLETED');
  expect(done.steps[1]!.output).toEqual({ text: 'half \ufffd and \ufffd' });

  const huge = await makeWorkflow(running, token, [
    text('a', '{{ parameters.text }}'.repeat(3)),
    text('b', '{{ [steps.a.text].map(x, x + x + x + x)[0] }}'),
  ]);
  const failed = await execute(running, token, huge, { text: 'x'.repeat(20_000) });
  expect((await reaches(running, token, failed, 'FAILED')).error).toContain('characters');
});

test('http steps cannot call private addresses if they are not allowed', async () => {
  const running = await testApp({ worker: true, env: { WEBHOOK_ALLOW_PRIVATE: '0' } });
  const { token } = await makeStage(running.app);
  const outside = await outsideSystem();
  const id = await makeWorkflow(running, token, [
    { name: 'peek', kind: 'http', url: outside.url, retry: { limit: 5, backoffSeconds: 0 } },
  ]);
  const failed = await reaches(running, token, await execute(running, token, id), 'FAILED');
  expect(failed.steps[0]).toMatchObject({ attempts: 1, error: expect.stringContaining('public addresses') });
  expect(outside.received).toHaveLength(0);
});
