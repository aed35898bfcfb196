import { expect, onTestFinished, test } from 'vitest';
import { runKey } from '../../src/domain/workflows/queue-run.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { type ServerProcess, spawnServer } from '../helpers/process.ts';
import { makeStage } from '../helpers/world.ts';
import { shutGates } from './gates.ts';
import { execute, makeWorkflow, outsideSystem, reaches, text } from './steps.ts';

/** Worker processes, two at a time; a killed one is replaced. */
function workers(databaseUrl: string) {
  const running = new Map<string, ServerProcess>();
  let count = 0;
  const start = () => {
    const name = `worker-${count++}`;
    const env = {
      ROLE: 'worker',
      NODE_ENV: 'test',
      // The application name of its database connections.
      DATABASE_URL: `${databaseUrl}?application_name=${name}`,
      DATABASE_POOL: '8',
      // No worker on a busy machine is taken for dead. The jobs of killed workers are unlocked by the test.
      WORKER_TAKEOVER_SECONDS: '60',
    };
    running.set(name, spawnServer({ env }));
  };
  const kill = async (name: string) => {
    await running.get(name)!.end('SIGKILL');
    running.delete(name);
    start();
  };
  onTestFinished(async () => {
    await Promise.all([...running.values()].map((worker) => worker.end('SIGKILL')));
  });
  start();
  start();
  return {
    kill: (names: Iterable<string>) => Promise.all([...new Set(names)].map(kill)),
    killAll: () => Promise.all([...running.keys()].map(kill)),
  };
}

/**
 * Every point at which a worker can die: where a step or the run begins or ends in the database, and during an unanswered
 * external call. Each run has some of them; the workers die when all runs are at theirs.
 */
const RUNS = [
  ['0 RUNNING', '2 RUNNING', '3 COMPLETED', 'run COMPLETED'],
  ['0 COMPLETED', '1 RUNNING', '2 COMPLETED', '4 RUNNING'],
  ['call of 4', '4 COMPLETED'],
  ['call of 1', '1 COMPLETED', '3 RUNNING'],
];
/** How often each run makes the external calls of steps 1 and 4: unanswered, answered but not recorded, and answered. */
const CALLS = [
  [1, 1],
  [1, 1],
  [1, 3],
  [3, 1],
];

/** A call is identified by its key, everything else by its gate. */
const placeIn = (id: string, point: string) =>
  point.startsWith('call of ') ? `${id}:${point.at(-1)}` : `${id} ${point}`;
const isCall = (place: string) => place.includes(':');
const attendance = { attendanceId: 'a', attendeeId: 'b', sessionRef: 'c', method: 'd', dpuId: 'e' };
const stepsCalling = (url: string) => [
  text('begin'),
  { name: 'first', kind: 'http', url, timeoutSeconds: 30 },
  { name: 'decide', kind: 'record_decision', action: { type: 'test.decided' } },
  {
    name: 'tell',
    kind: 'emit_event',
    type: 'attendance.verified',
    data: { ...attendance, occurredAt: '{{ now }}' },
  },
  { name: 'second', kind: 'http', url, timeoutSeconds: 30 },
];

/** Unlocks the jobs of executions whose workers were killed, as a takeover does. */
async function unlockRuns({ superuser }: TestApp, executionIds: string[]): Promise<void> {
  const { rowCount } = await superuser.query(
    `UPDATE graphile_worker._private_jobs SET locked_by = NULL, locked_at = NULL, attempts = greatest(0, attempts - 1)
     WHERE locked_by IS NOT NULL AND key = ANY ($1)`,
    [executionIds.map(runKey)],
  );
  expect(rowCount, 'jobs of killed workers').toBe(executionIds.length);
}

test('workers killed inside and between steps: each step is executed once', {
  timeout: 600_000,
}, async () => {
  const running = await testApp();
  const unanswered = new Set<string>();
  const callsOf = (key: string) =>
    outside.received.filter(({ headers }) => headers['idempotency-key'] === key).length;
  const outside = await outsideSystem(async ({ headers }) => {
    const key = String(headers['idempotency-key']);
    const call = callsOf(key);
    // Its worker dies while it waits.
    if (call === 1 && unanswered.has(key)) await new Promise(() => {});
    return { json: { call } };
  });

  // In separate centers, so that none waits for another's locks.
  const runs = await Promise.all(
    RUNS.map(async (points) => {
      const { token, center } = await makeStage(running.app);
      const id = await execute(running, token, await makeWorkflow(running, token, stepsCalling(outside.url)));
      return { id, token, center, places: points.map((point) => placeIn(id, point)) };
    }),
  );
  const places = runs.flatMap((run) => run.places);
  for (const key of places.filter(isCall)) unanswered.add(key);
  const shut = await shutGates(
    running.database.adminUrl,
    places.filter((place) => !isCall(place)),
  );
  const fleet = workers(running.database.url);

  for (let round = 0; runs.some((run) => run.places[round]); round++) {
    // A run whose points are all behind it must not be in a call when workers die.
    for (const { id, token, places } of runs) {
      if (!places[round]) await reaches(running, token, id, 'COMPLETED', 120_000);
    }
    const standing = runs.flatMap((run) => run.places[round] ?? []);
    const called = standing.filter(isCall);
    const gates = standing.filter((place) => !isCall(place));
    const names: string[] = [];
    for (const gate of gates) names.push(await shut.arrival(gate));
    await eventually(() => called.every((key) => callsOf(key) === 1), 120_000);
    // The external server cannot tell which worker called.
    await (called.length > 0 ? fleet.killAll() : fleet.kill(names));
    // The dead worker's transaction is rolled back here.
    for (const gate of gates) await shut.open(gate);
    const interrupted = runs.filter((run) => run.places[round]).map(({ id }) => id);
    await unlockRuns(running, interrupted);
  }

  for (const [n, { id, token, center }] of runs.entries()) {
    const done = await reaches(running, token, id, 'COMPLETED', 120_000);
    expect(done.steps.map(({ name, status }) => [name, status])).toEqual([
      ['begin', 'COMPLETED'],
      ['first', 'COMPLETED'],
      ['decide', 'COMPLETED'],
      ['tell', 'COMPLETED'],
      ['second', 'COMPLETED'],
    ]);
    // The key shows the external server that it is one call.
    expect([callsOf(`${id}:1`), callsOf(`${id}:4`)]).toEqual(CALLS[n]);
    expect(done.steps[1]!.output).toEqual({ status: 200, body: { call: CALLS[n]![0] } });

    const own = running.app.db.forCenter(center.id);
    expect(await own.decisionEvent.count({ where: { actionType: 'test.decided' } })).toBe(1);
    expect(await own.platformEvent.count({ where: { type: 'attendance.verified' } })).toBe(1);
    expect(await own.platformEvent.count({ where: { type: 'workflow.transitioned' } })).toBe(2);
    expect(await own.dpu.findMany({ where: { referenceId: id } })).toMatchObject([{ id: done.dpuId }]);
    expect(await own.auditEntry.count({ where: { target: id } })).toBe(2);
  }
  expect(outside.received).toHaveLength(CALLS.flat().reduce((sum, each) => sum + each));
});
