import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { type ServerProcess, spawnServer } from '../helpers/process.ts';
import { makeStage } from '../helpers/world.ts';
import { shutGates } from './gates.ts';
import { execute, makeWorkflow, outsideSystem, reaches, text } from './steps.ts';

/** Worker processes, two at a time; whichever is killed is replaced. */
function workers(databaseUrl: string) {
  const running = new Map<string, ServerProcess>();
  let count = 0;
  const start = () => {
    const name = `worker-${count++}`;
    const env = {
      ROLE: 'worker',
      NODE_ENV: 'test',
      // The name under which the database knows its connections.
      DATABASE_URL: `${databaseUrl}?application_name=${name}`,
      DATABASE_POOL: '5',
      WORKER_TAKEOVER_SECONDS: '3',
    };
    running.set(name, spawnServer({ env }));
  };
  const kill = async (name: string) => {
    await running.get(name)!.end('SIGKILL');
    running.delete(name);
    start();
  };
  const endAll = async () => {
    await Promise.all([...running.values()].map((worker) => worker.end('SIGKILL')));
    running.clear();
  };
  onTestFinished(endAll);
  start();
  start();
  return {
    kill,
    killAll: async () => {
      for (const name of [...running.keys()]) await kill(name);
    },
  };
}

test('workers killed at every boundary and inside steps: each step is done once', {
  timeout: 600_000,
}, async () => {
  const running = await testApp();
  const { token, center } = await makeStage(running.app);
  const seen: Record<string, number> = {};
  const outside = await outsideSystem(async ({ headers }) => {
    const key = String(headers['idempotency-key']);
    seen[key] = (seen[key] ?? 0) + 1;
    // The first call of each step is never answered: its worker dies while it waits.
    if (seen[key] === 1) await fleet.killAll();
    return { json: { call: seen[key] } };
  });
  const attendance = { attendanceId: 'a', attendeeId: 'b', sessionRef: 'c', method: 'd', dpuId: 'e' };
  const id = await makeWorkflow(running, token, [
    text('begin'),
    { name: 'first', kind: 'http', url: outside.url },
    { name: 'decide', kind: 'record_decision', action: { type: 'test.decided' } },
    {
      name: 'tell',
      kind: 'emit_event',
      type: 'attendance.verified',
      data: { ...attendance, occurredAt: '{{ now }}' },
    },
    { name: 'second', kind: 'http', url: outside.url },
  ]);
  const gates = [0, 1, 2, 3, 4].flatMap((position) => [`${position} RUNNING`, `${position} COMPLETED`]);
  gates.push('run COMPLETED');
  const shut = await shutGates(running.database.adminUrl, gates);
  const fleet = workers(running.database.url);
  const executionId = await execute(running, token, id);
  for (const gate of gates) {
    await fleet.kill(await shut.arrival(gate));
    // The dead worker's transaction ends here, without a commit.
    await shut.open(gate);
  }
  const done = await reaches(running, token, executionId, 'COMPLETED', 60_000);

  expect(done.steps.map(({ name, status }) => [name, status])).toEqual([
    ['begin', 'COMPLETED'],
    ['first', 'COMPLETED'],
    ['decide', 'COMPLETED'],
    ['tell', 'COMPLETED'],
    ['second', 'COMPLETED'],
  ]);
  // Unanswered, answered but not written down, and answered: the outside can tell by the key that it is one call.
  const keys = outside.received.map(({ headers }) => headers['idempotency-key']);
  const [first, second] = [`${executionId}:1`, `${executionId}:4`];
  expect(keys).toEqual([first, first, first, second, second, second]);
  expect(done.steps[1]!.output).toEqual({ status: 200, body: { call: 3 } });

  const { db } = running.app;
  const own = db.forCenter(center.id);
  expect(await own.decisionEvent.count({ where: { actionType: 'test.decided' } })).toBe(1);
  expect(await own.platformEvent.count({ where: { type: 'attendance.verified' } })).toBe(1);
  expect(await own.platformEvent.count({ where: { type: 'workflow.transitioned' } })).toBe(2);
  expect(await own.dpu.findMany({ where: { referenceId: executionId } })).toMatchObject([{ id: done.dpuId }]);
  expect(await own.auditEntry.count({ where: { target: executionId } })).toBe(2);
});
