import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { checkEveryMs } from '../../src/jobs/takeover.ts';
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
  return { beat, expectTakeover };
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

test('a worker whose own heartbeat failed waits for heartbeats of others before a takeover', async () => {
  const running = await testApp();
  const { beat, expectTakeover } = await heldDeliveries(running, { dead: 600, live: 600 });
  const { superuser, database } = running;
  await superuser.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no heartbeat'; END $$;
    CREATE TRIGGER fail BEFORE INSERT ON process_heartbeat FOR EACH ROW EXECUTE FUNCTION fail()`);
  const takeoverSeconds = 10;
  const env = { WORKER_TAKEOVER_SECONDS: String(takeoverSeconds) };
  const { heartbeat } = (await testApp({ database, env, worker: true })).app;
  expect(heartbeat.commits()).toBe(false);
  // A check is due when the heartbeat recovers.
  await sleep(checkEveryMs(takeoverSeconds));
  await superuser.query('DROP TRIGGER fail ON process_heartbeat');
  await eventually(() => heartbeat.commits());
  // In the future, because a busy machine may delay the takeover.
  await beat('live', -600);
  await expectTakeover();
});
