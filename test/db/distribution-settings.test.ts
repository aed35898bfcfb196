import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded/index.ts';
import { loginOf } from '../../src/db/logins.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openQueuePool } from '../../src/jobs/queue-pool.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeStage } from '../helpers/world.ts';
import { proofStage } from '../proof/stage.ts';
import { consumer } from '../webhooks/consumer.ts';
import { emitEvent, subscribe } from '../webhooks/stage.ts';
import { execute, makeWorkflow, reaches, text } from '../workflows/steps.ts';

/** What a server of Debian's packages has, where the embedded one has settings of its own. */
const distribution = {
  jit: 'on',
  // Every plan is worth compiling, as plans without a planner method are before PostgreSQL 18.
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

test('no session of the service compiles its plans or counts days in the zone of the machine', async () => {
  const queue = openQueuePool(server.url, running.app.db.watch, running.app.log);
  try {
    for (const pool of [running.app.db.pool, queue]) {
      const { rows } = await pool.query(
        `SELECT current_setting('jit') AS jit, current_setting('timezone') AS zone`,
      );
      expect(rows).toEqual([{ jit: 'off', zone: 'UTC' }]);
    }
  } finally {
    await queue.end();
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
