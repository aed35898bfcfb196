import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import { systemContext } from '../../src/domain/context.ts';
import { eventCatalog } from '../../src/domain/events/catalog.ts';
import { transact } from '../../src/domain/unit-of-work.ts';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { makeClient } from '../helpers/client.ts';
import { eventually } from '../helpers/eventually.ts';
import { type ServerProcess, startServer } from '../helpers/process.ts';
import { makeMember, makeStage } from '../helpers/world.ts';
import { type Consumer, consumer, type Received } from './consumer.ts';
import { subscribe } from './stage.ts';

const LIMIT = 120_000;
const ATTEMPTS = 7;

const settings = {
  WEBHOOK_RETRY_DELAYS: '0,0.2,0.2,0.2,0.2,0.2,0.2',
  WORKER_TAKEOVER_SECONDS: '1',
  DELIVERY_CONCURRENCY: '8',
  RATE_STANDARD: '0',
};

/** One service and database for tests that break something else; workers that none of them kills are shared. */
let running: TestApp;
const workers: ServerProcess[] = [];
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
  await running.close();
});

function startRole(role: 'api' | 'worker', env: Record<string, string> = {}): Promise<ServerProcess> {
  return startServer({ env: { ...settings, ROLE: role, DATABASE_URL: running.database.url, ...env } });
}

async function startDoomed(role: 'api' | 'worker'): Promise<ServerProcess> {
  const server = await startRole(role);
  onTestFinished(async () => void (await server.end('SIGKILL')));
  return server;
}

/** The two that keep running. They must not take slow workers for dead, or deliveries would be duplicated. */
async function twoWorkers(): Promise<ServerProcess[]> {
  const patient = { WORKER_TAKEOVER_SECONDS: '60' };
  if (workers.length === 0)
    workers.push(...(await Promise.all([1, 2].map(() => startRole('worker', patient)))));
  return workers;
}

interface Scene extends Pick<Consumer, 'received'> {
  /** After this many requests, the consumer stops answering. */
  holdFrom: number;
  on: TestApp;
  center: { id: number };
  token: string;
}

/** A consumer whose /ok is slow and whose /fail always fails, each with a webhook of the same center. */
async function makeScene(on: TestApp): Promise<Scene> {
  const { center, key, token } = await makeStage(on.app);
  const { url, received } = await consumer(({ path }, response, count) => {
    if (count >= scene.holdFrom) return;
    setTimeout(() => response.writeHead(path.endsWith('fail') ? 500 : 200).end(), 20);
  });
  const scene: Scene = { on, center, token, received, holdFrom: Number.POSITIVE_INFINITY };
  await subscribe(on, key, `${url}/ok`, ['payment.*', 'attendance.*']);
  await subscribe(on, key, `${url}/fail`, ['payment.*']);
  return scene;
}

async function emitMany({ on, center }: Scene, count: number): Promise<void> {
  const { example } = eventCatalog['payment.completed'];
  await transact(systemContext(on.app, 'test', center.id), async (work) => {
    for (let i = 0; i < count; i++) work.emit('payment.completed', example);
  });
}

const settled = async ({ db }: App) =>
  (await db.acrossTenants.delivery.count({ where: { nextAttemptAt: { not: null } } })) === 0;

const eventOf = ({ body }: Received): string => body.id;
/** An attempt that timed out on a busy machine is repeated under the next number, and is not a duplicate. */
const attemptOf = ({ body }: Received): string => `${body.id} ${body.deliveryAttempt}`;

/** How often each event or attempt arrived at a path. */
function arrivals({ received }: Scene, path: string, keyOf = eventOf): Map<string, number> {
  const counts = new Map<string, number>();
  for (const request of received.filter((each) => each.path.endsWith(path))) {
    counts.set(keyOf(request), (counts.get(keyOf(request)) ?? 0) + 1);
  }
  return counts;
}

async function eventIds({ on, center }: Scene): Promise<string[]> {
  const { platformEvent } = on.app.db.forCenter(center.id);
  const events = await platformEvent.findMany({ where: { type: { not: 'dpu.sealed' } } });
  return events.map(({ id }) => id).sort();
}

/**
 * Attempts are recorded asynchronously. A crashed server loses at most 0.6 s of them (three times `wal_writer_delay`), and
 * attempts of one delivery are 0.2 s apart.
 */
const FORGOTTEN_BY_CRASH = 4;
/**
 * Backends survive their postmaster for a moment. A delivery whose connection broke can be repeated through one of them, and
 * the restarted server knows of neither attempt.
 */
const REPEATED_BY_CRASH = 2;

async function expectNothingLost(scene: Scene, interruptions: number, forgotten = 1, repeated = 1) {
  await eventually(() => settled(scene.on.app).catch(() => false), 60_000);
  expect([...arrivals(scene, '/ok').keys()].sort()).toEqual(await eventIds(scene));
  const attempts = arrivals(scene, '/ok', attemptOf);
  expect(Math.max(...attempts.values())).toBeLessThanOrEqual(1 + interruptions * repeated);
  for (const times of arrivals(scene, '/fail').values()) {
    expect(times).toBeGreaterThanOrEqual(ATTEMPTS);
    expect(times).toBeLessThanOrEqual(ATTEMPTS + interruptions * forgotten);
  }
}

test('kill -9 of the worker during deliveries loses nothing', { timeout: LIMIT }, async () => {
  const scene = await makeScene(running);
  await emitMany(scene, 16);
  for (const enough of [10, 40]) {
    scene.holdFrom = enough;
    const worker = await startDoomed('worker');
    await eventually(() => scene.received.length >= enough, 60_000);
    expect(await worker.end('SIGKILL')).toBe('SIGKILL');
    scene.holdFrom = Number.POSITIVE_INFINITY;
    const { rows } = await running.superuser.query(
      'SELECT count(*)::int AS held FROM graphile_worker.jobs WHERE locked_by IS NOT NULL',
    );
    expect(rows[0].held, 'jobs were under way').toBeGreaterThan(0);
  }
  // As if the killed workers had been dead for longer than the shared workers wait.
  await running.superuser.query(
    `UPDATE process_heartbeat SET beat_at = now() - interval '10 minutes' WHERE worker_pools <> '{}';
     UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '10 minutes' WHERE locked_by IS NOT NULL`,
  );
  await twoWorkers();
  await expectNothingLost(scene, 2);
});

test('kill -9 of the API between commit and reply: every change has its event', {
  timeout: LIMIT,
}, async () => {
  const scene = await makeScene(running);
  const { actor } = await makeMember(running.app, scene.center.id, 'CHILD');
  const [api, [worker]] = await Promise.all([startDoomed('api'), twoWorkers()]);
  // Both work on one database under different identities.
  const ready = (await (await fetch(`${api.url}/readyz`)).json()) as { checks: object };
  expect(ready.checks).not.toHaveProperty('worker');
  expect(worker!.url).toBe('');
  const record = (url: string, session: number) =>
    makeClient(url).graphql(
      `mutation ($input: RecordAttendanceInput!) { recordAttendance(input: $input) { id } }`,
      { input: { attendeeId: actor.id, sessionRef: `session ${session}`, method: 'qr' } },
      scene.token,
    );
  // Each caller continues until it gets no reply, so the kill interrupts all of them.
  const sessions: number[] = [];
  const replied: string[] = [];
  const keepRecording = async () => {
    for (;;) {
      const { data } = await record(api.url, sessions.push(sessions.length) - 1);
      replied.push(data.recordAttendance.id);
      if (replied.length === 10) await api.end('SIGKILL');
    }
  };
  await Promise.allSettled(Array.from({ length: 40 }, keepRecording));
  const attendances = () => running.app.db.forCenter(scene.center.id).attendance.findMany();
  const committed = (await attendances()).map(({ id }) => id);
  expect(committed).toEqual(expect.arrayContaining(replied));
  expect(replied).toHaveLength(sessions.length - 40);
  await expectNothingLost(scene, 0);

  // Callers without a reply retry elsewhere; completed work is not repeated.
  const repeated = await Promise.all(sessions.map((session) => record(running.url, session)));
  expect(repeated.flatMap(({ errors }) => errors ?? [])).toEqual([]);
  await expectNothingLost(scene, 0);
  const told = [...new Set(scene.received.map(({ body }) => body.data.attendanceId))].sort();
  expect(told).toEqual((await attendances()).map(({ id }) => id).sort());
  expect(told).toHaveLength(sessions.length);
});

test('two workers share the load, and nothing is delivered twice', { timeout: LIMIT }, async () => {
  const scene = await makeScene(running);
  const sharing = await twoWorkers();
  const { superuser: pool } = running;
  // Each process has one worker pool for deliveries.
  const holders = new Set<string>();
  await eventually(async () => {
    await emitMany(scene, 4);
    const { rows } = await pool.query(
      `SELECT DISTINCT locked_by FROM graphile_worker.jobs
       WHERE task_identifier = 'deliver_webhook' AND locked_by IS NOT NULL`,
    );
    for (const { locked_by } of rows) holders.add(locked_by);
    return holders.size >= 2;
  });
  await expectNothingLost(scene, 0);
  // A clean stop returns everything and leaves no heartbeat behind. Killed workers and lost connections leave old ones.
  expect(await Promise.all(sharing.map((worker) => worker.end('SIGTERM')))).toEqual([0, 0]);
  const { rows } = await pool.query(
    `SELECT (SELECT count(*)::int FROM graphile_worker.jobs WHERE locked_by IS NOT NULL) AS held,
            (SELECT count(*)::int FROM process_heartbeat
             WHERE worker_pools <> '{}' AND beat_at > now() - interval '5 seconds') AS beats`,
  );
  expect(rows[0]).toEqual({ held: 0, beats: 0 });
});

test('kill -9 of PostgreSQL loses nothing, and the worker recovers', {
  timeout: LIMIT,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-crash-'));
  chmodSync(dataDir, 0o711);
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir, initdbOptions: ['--no-sync'] });
  onTestFinished(() => postgres.stop());
  await migrate(postgres.ownerUrl);
  const { url, adminUrl } = postgres;
  const own = await testApp({
    database: { ...running.database, dataDir, url, adminUrl },
    env: settings,
    worker: true,
  });
  const scene = await makeScene(own);
  await emitMany(scene, 16);
  for (const enough of [10, 40]) {
    await eventually(() => scene.received.length >= enough, 60_000);
    const killed = postgres.pid()!;
    process.kill(killed, 'SIGKILL');
    await eventually(() => ![killed, undefined].includes(postgres.pid()));
  }
  await expectNothingLost(scene, 2, FORGOTTEN_BY_CRASH, REPEATED_BY_CRASH);
});
