import { expect, test, vi } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeStage } from '../helpers/world.ts';
import { execute, makeWorkflow, outsideSystem, reaches, show, text } from '../workflows/steps.ts';

// Most of it is waiting for deadlines of the service, and starting the runs takes long on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

/** Three times the slots of a worker. */
const RUNS = 72;
/** The time the contract allows between expiry and rejection. */
const EXPIRY_MS = 30_000;

test('runs with hanging calls delay neither other runs nor scheduled jobs of the service', async () => {
  const running = await testApp({ worker: true });
  const attacker = await makeStage(running.app);
  const dead = await outsideSystem(() => new Promise(() => {}));
  const call = { name: 'call', kind: 'http', url: dead.url, timeoutSeconds: 30, retry: { limit: 5 } };
  const hanging = await makeWorkflow(running, attacker.token, [call]);
  const runs: string[] = [];
  while (runs.length < RUNS) {
    const some = Array.from({ length: 6 }, () => execute(running, attacker.token, hanging));
    runs.push(...(await Promise.all(some)));
  }
  await eventually(() => dead.received.length > 24);

  const neighbor = await makeStage(running.app);
  const alive = await outsideSystem(() => ({ json: { fine: true } }));
  const asked = await running.call('POST', '/v1/agents/decide', {
    token: neighbor.key,
    body: {
      agent: { id: 'agent', name: 'Agent' },
      action: { type: 'wire.transfer', input: {} },
      riskScore: 0.99,
      expiresInSeconds: 10,
    },
  });
  expect(asked.body.data, asked.text).toMatchObject({ outcome: 'awaiting_approval' });
  const steps = [text('a'), { name: 'b', kind: 'http', url: alive.url }, text('c')];
  const quick = await makeWorkflow(running, neighbor.token, steps);
  for (let i = 0; i < 3; i++) {
    await reaches(running, neighbor.token, await execute(running, neighbor.token, quick), 'COMPLETED');
  }

  const { eventId, expiresAt } = asked.body.data;
  const status = async () => {
    const answer = await running.call('GET', `/v1/decision-events/${eventId}`, { token: neighbor.key });
    return answer.body.data.status;
  };
  await eventually(
    async () => (await status()) === 'rejected',
    Date.parse(expiresAt) + EXPIRY_MS - Date.now(),
  );
  // None of this waited for the hanging runs: they are still trying.
  const statuses = new Set<string>();
  for (const id of runs) statuses.add((await show(running, attacker.token, id)).status);
  expect(statuses).toEqual(new Set(['RUNNING']));
});
