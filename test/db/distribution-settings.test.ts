import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded/index.ts';
import { loginOf } from '../../src/db/logins.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openQueuePool } from '../../src/jobs/worker.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeStage } from '../helpers/world.ts';
import { proofStage } from '../proof/stage.ts';
import { consumer } from '../webhooks/consumer.ts';
import { emitEvent, subscribe } from '../webhooks/stage.ts';
import { execute, makeWorkflow, reaches, text } from '../workflows/steps.ts';

/** Settings of a server from Debian's packages that differ from the embedded one. */
const distribution = {
  jit: 'on',
  // Makes every plan expensive enough to be compiled, like plans without a planner method before PostgreSQL 18.
  jit_above_cost: 0,
  max_connections: 100,
  shared_buffers: '128MB',
  work_mem: '4MB',
  maintenance_work_mem: '64MB',
  effective_cache_size: '4GB',
  random_page_cost: 4,
  max_wal_size: '1GB',
  timezone: 'America/New_York',
  log_timezone: 'America/New_York',
  fsync: 'off',
};

let folder: string;
let server: EmbeddedPostgres;
let running: TestApp;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-distribution-'));
  server = await startEmbeddedPostgres({
    dataDir: join(folder, 'server'),
    settings: distribution,
    initdbOptions: ['--no-sync'],
  });
  await migrate(server.ownerUrl, { login: loginOf(server.url) });
  running = await startTestApp({
    database: {
      ...server,
      dataDir: join(folder, 'data'),
      checkpointFile: join(folder, 'checkpoints.log'),
      mailFolder: join(folder, 'mail'),
      drop: async () => {},
    },
    worker: true,
  });
});
afterAll(async () => {
  await running?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('sessions have jit off, planner methods on, and time zone UTC', async () => {
  const queue = openQueuePool(server.url, running.app.db.watch, running.app.log);
  try {
    for (const pool of [running.app.db.pool, queue]) {
      const { rows } = await pool.query(
        `SELECT current_setting('jit') AS jit, current_setting('timezone') AS zone`,
      );
      expect(rows).toEqual([{ jit: 'off', zone: 'UTC' }]);
      // Before PostgreSQL 18 each raises the cost of a plan that needs it above the threshold for compilation. None needs a bitmap.
      const methods = await pool.query(
        `SELECT name FROM pg_settings WHERE name LIKE 'enable\\_%' AND boot_val = 'on' AND setting = 'off'`,
      );
      expect(methods.rows).toEqual(pool === queue ? [{ name: 'enable_bitmapscan' }] : []);
    }
  } finally {
    await queue.end();
  }
});

/** The statement with which graphile-worker claims jobs. */
const CLAIM = `
  WITH j AS (
    SELECT id FROM graphile_worker._private_jobs
    WHERE is_available AND run_at <= now() AND task_id = ANY ($1::int[])
    ORDER BY priority, run_at LIMIT 128 FOR UPDATE SKIP LOCKED)
  UPDATE graphile_worker._private_jobs jobs SET locked_by = 'test', locked_at = now() FROM j WHERE jobs.id = j.id`;

test('claiming jobs uses an index after ANALYZE of an empty queue, and is not JIT-compiled', async () => {
  const admin = new pg.Client(server.adminUrl);
  await admin.connect();
  const queue = openQueuePool(server.url, running.app.db.watch, running.app.log);
  const client = await queue.connect();
  try {
    await admin.query('VACUUM ANALYZE graphile_worker._private_jobs');
    await client.query('SET jit = on; SET jit_above_cost = 100000');
    await client.query(`PREPARE claim (int[]) AS ${CLAIM}`);
    for (let i = 0; i < 7; i++) await client.query(`EXECUTE claim ('{0}')`);
    // Tasks that no worker handles, so that they stay.
    await admin.query(`
      INSERT INTO graphile_worker._private_tasks (identifier) VALUES ('of_nobody');
      INSERT INTO graphile_worker._private_jobs (task_id, priority, run_at)
      SELECT t.id, i % 2, now() - interval '1 hour' + i * interval '1 ms'
      FROM graphile_worker._private_tasks t, generate_series(1, 20000) i WHERE t.identifier = 'of_nobody'`);
    const { rows } = await admin.query(
      `SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'of_nobody'`,
    );
    const plan = await client.query(
      `EXPLAIN (ANALYZE, TIMING off, FORMAT json) EXECUTE claim ('{${rows[0].id}}')`,
    );
    const text = JSON.stringify(plan.rows[0]['QUERY PLAN']);
    expect(text).toContain('jobs_main_index');
    expect(text).not.toMatch(/"Sort"|"Seq Scan"|"JIT"|"Rows Removed by Join Filter"/);
  } finally {
    await admin.query(
      `DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
       WHERE t.id = j.task_id AND t.identifier = 'of_nobody'`,
    );
    client.release(true);
    await queue.end();
    await admin.end();
  }
});

test('jobs run, webhooks are delivered and decisions are sealed', async () => {
  const { key, token, center } = await makeStage(running.app);
  const { url, received } = await consumer();
  await subscribe(running, key, url, ['payment.completed']);
  for (let i = 0; i < 20; i++) await emitEvent(running.app, center.id);
  const id = await execute(running, token, await makeWorkflow(running, token, [text('a'), text('b')]));
  await eventually(() => received.length === 20);
  await reaches(running, token, id, 'COMPLETED');

  const stage = await proofStage(running);
  const { body } = await stage.post('/agents/decide', {
    agent: { id: 'agent' },
    action: { type: 'refund.grant', input: {} },
    riskScore: 0.95,
  });
  expect((await stage.approve(body.data.eventId)).status).toBe(200);
  const sealed = await stage.get(`/decision-events/${body.data.eventId}`);
  expect(sealed.body.data.status).toBe('sealed');
  const chain = await running.call('GET', '/dpu/verify-chain', { token: stage.token });
  expect(chain.body.data).toMatchObject({ valid: true });
});
