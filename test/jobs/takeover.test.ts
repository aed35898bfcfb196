import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Heartbeat } from '../../src/db/heartbeat.ts';
import { startTakeover } from '../../src/jobs/takeover.ts';
import { longestTakeoverMs } from '../../src/jobs/worker.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeStage } from '../helpers/world.ts';
import { consumer } from '../webhooks/consumer.ts';
import { emitEvent, subscribe } from '../webhooks/stage.ts';

/** A dead worker must not hold its jobs longer than this. */
const PROMISED_MS = 90_000;
const env = { JWT_SECRET: 'Zk8vQ2xW7rT4yN1mB6pL9sD3fG5hJ0cA' };

test.each([
  ['with the default setting', {}],
  ['with the slowest allowed setting', { WORKER_TAKEOVER_SECONDS: '60' }],
])('%s the jobs of a dead worker are taken over within 90 seconds', (_, settings) => {
  const { worker } = loadConfig({ ...env, ...settings });
  expect(longestTakeoverMs(worker.takeoverSeconds)).toBeLessThan(PROMISED_MS);
  // Far more than a heartbeat is delayed under load.
  expect(worker.takeoverSeconds).toBeGreaterThanOrEqual(30);
});

type Holder = 'dead' | 'live';

/** An event for each holder, which has locked its delivery; the last heartbeat of a holder is that many seconds old. */
async function heldDeliveries(running: TestApp, silentSeconds: Record<Holder, number>) {
  const { key, center } = await makeStage(running.app);
  const { url, received } = await consumer();
  await subscribe(running, key, url);
  const ids: Record<Holder, string> = {
    dead: await emitEvent(running.app, center.id),
    live: await emitEvent(running.app, center.id),
  };
  const { superuser } = running;
  const beat = (holder: Holder, seconds: number) =>
    superuser.query(
      `INSERT INTO process_heartbeat (presence, worker_pools, beat_at)
       VALUES (hashtext($1), ARRAY[$1], now() - $2 * interval '1 second')
       ON CONFLICT (presence) DO UPDATE SET beat_at = excluded.beat_at`,
      [holder, seconds],
    );
  for (const holder of ['dead', 'live'] as const) {
    await superuser.query(
      `UPDATE graphile_worker._private_jobs SET locked_by = $1, locked_at = now() - interval '10 minutes', attempts = 1
       WHERE payload ->> 'eventId' = $2`,
      [holder, ids[holder]],
    );
    await beat(holder, silentSeconds[holder]);
  }
  /** Waits for the takeover of the dead holder's job, and checks that the other job is untouched. */
  const expectTakeover = async () => {
    await eventually(() => received.length > 0);
    expect(received.map(({ body }) => body.id)).toEqual([ids.dead]);
    const { rows } = await superuser.query(
      `SELECT locked_by FROM graphile_worker.jobs WHERE locked_by IN ('dead', 'live')`,
    );
    expect(rows).toEqual([{ locked_by: 'live' }]);
  };
  return { expectTakeover };
}

test('a job is taken over once the last heartbeat of its worker is older than the setting, not before', async () => {
  const running = await testApp();
  const { takeoverSeconds } = running.config.worker;
  const { expectTakeover } = await heldDeliveries(running, {
    dead: takeoverSeconds + 1,
    live: takeoverSeconds - 30,
  });
  await testApp({ database: running.database, worker: true });
  await expectTakeover();
});

/** The heartbeat of a process whose connection the test controls. */
function controlledHeartbeat() {
  const listeners = new Set<() => void>();
  const state = { commits: true, recoveredAt: null as number | null };
  const heartbeat: Heartbeat = {
    id: () => 1,
    commits: () => state.commits,
    recoveredAt: () => state.recoveredAt,
    workerPools: new Set(),
    onBeat(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {},
  };
  return { state, heartbeat, beat: () => listeners.forEach((listener) => void listener()) };
}

test('a worker whose own heartbeat failed waits for heartbeats of others before a takeover', async () => {
  const { app, superuser } = await testApp();
  const addJob = (holder: string) =>
    superuser.query(
      `SELECT graphile_worker.add_job('deliver_webhook', job_key => $1);
       UPDATE graphile_worker._private_jobs SET locked_by = $1, locked_at = now() - interval '10 minutes' WHERE key = $1`.replaceAll(
        '$1',
        `'${holder}'`,
      ),
    );
  for (const holder of ['dead', 'live']) await addJob(holder);
  const holders = async () => {
    const { rows } = await superuser.query(
      'SELECT locked_by FROM graphile_worker.jobs WHERE locked_by IS NOT NULL ORDER BY 1',
    );
    return rows.map(({ locked_by }) => locked_by);
  };
  const { state, heartbeat, beat } = controlledHeartbeat();
  state.commits = false;
  // So short that a check is due with every heartbeat.
  const takeoverSeconds = 0.001;
  const takeover = startTakeover(heartbeat, app.db.pool, takeoverSeconds, app.log);
  onTestFinished(() => takeover.stop());
  const checked = () => takeover.release('no pool');
  await checked();
  expect(await holders()).toEqual(['dead', 'live']);

  // Heartbeats of others may have failed as long as the own one.
  state.commits = true;
  state.recoveredAt = Number.POSITIVE_INFINITY;
  beat();
  await checked();
  expect(await holders()).toEqual(['dead', 'live']);

  await superuser.query(
    `INSERT INTO process_heartbeat (presence, worker_pools, beat_at)
     VALUES (2, ARRAY['live'], now() + interval '10 minutes')`,
  );
  state.recoveredAt = performance.now() - 2 * takeoverSeconds * 1_000;
  await eventually(async () => {
    beat();
    await checked();
    return (await holders()).length === 1;
  });
  expect(await holders()).toEqual(['live']);
});
