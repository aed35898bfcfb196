import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { longestTakeoverMs } from '../../src/jobs/worker.ts';
import { testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeStage } from '../helpers/world.ts';
import { consumer } from '../webhooks/consumer.ts';
import { emitEvent, subscribe } from '../webhooks/stage.ts';

/** A worker that died must not hold its jobs longer than this. */
const PROMISED_MS = 90_000;
const env = { JWT_SECRET: 'Zk8vQ2xW7rT4yN1mB6pL9sD3fG5hJ0cA' };

test.each([
  ['as configured by default', {}],
  ['with the slowest setting that is allowed', { WORKER_TAKEOVER_SECONDS: '60' }],
])('%s the jobs of a dead worker are at work again in time', (_, settings) => {
  const { worker } = loadConfig({ ...env, ...settings });
  expect(longestTakeoverMs(worker.takeoverSeconds)).toBeLessThan(PROMISED_MS);
  // Far above what a worker under load may be late with its sign of life.
  expect(worker.takeoverSeconds).toBeGreaterThanOrEqual(30);
});

test('by default a job is taken over when its holder has been silent for longer than the setting, and not before', async () => {
  const running = await testApp();
  const { key, center } = await makeStage(running.app);
  const { url, received } = await consumer();
  await subscribe(running, key, url);
  const ids: Record<'dead' | 'slow', string> = {
    dead: await emitEvent(running.app, center.id),
    slow: await emitEvent(running.app, center.id),
  };
  const { takeoverSeconds } = running.config.worker;
  const silentFor = { dead: takeoverSeconds + 1, slow: takeoverSeconds - 30 };
  const { superuser: pool } = running;
  for (const holder of ['dead', 'slow'] as const) {
    await pool.query(
      `UPDATE graphile_worker._private_jobs SET locked_by = $1, locked_at = now() - interval '10 minutes', attempts = 1
       WHERE payload ->> 'eventId' = $2`,
      [holder, ids[holder]],
    );
    await pool.query(
      `INSERT INTO worker_heartbeat (id, beat_at) VALUES ($1, now() - $2 * interval '1 second')`,
      [holder, silentFor[holder]],
    );
  }
  await testApp({ database: running.database, worker: true });
  await eventually(() => received.length > 0);
  expect(received.map(({ body }) => body.id)).toEqual([ids.dead]);
  const { rows } = await pool.query(
    'SELECT locked_by FROM graphile_worker.jobs WHERE locked_by IN ($1, $2)',
    ['dead', 'slow'],
  );
  expect(rows).toEqual([{ locked_by: 'slow' }]);
});
