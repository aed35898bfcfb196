import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/db/embedded/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { App } from '../../src/domain/app.ts';
import { systemContext } from '../../src/domain/context.ts';
import { eventCatalogue } from '../../src/domain/events/catalogue.ts';
import { transact } from '../../src/domain/unit-of-work.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { makeClient } from '../helpers/client.ts';
import { testDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/eventually.ts';
import { type ServerProcess, startServer } from '../helpers/process.ts';
import { makeMember, makeStage } from '../helpers/world.ts';
import { type Consumer, consumer } from './consumer.ts';
import { subscribe } from './stage.ts';

const LIMIT = 120_000;
const ATTEMPTS = 7;

async function startRole(role: 'api' | 'worker', databaseUrl: string): Promise<ServerProcess> {
  const server = await startServer({
    env: {
      ROLE: role,
      DATABASE_URL: databaseUrl,
      WEBHOOK_RETRY_DELAYS: '0,0.2,0.2,0.2,0.2,0.2,0.2',
      WORKER_TAKEOVER_SECONDS: '1',
      DELIVERY_CONCURRENCY: '8',
      RATE_STANDARD: '0',
    },
  });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  return server;
}

/** A consumer whose /ok takes its time and whose /fail always fails, each with a webhook of the same center. */
async function makeScene(running: TestApp) {
  const { center, key, token } = await makeStage(running.app);
  const { url, received } = await consumer(({ path }, response) => {
    setTimeout(() => response.writeHead(path.endsWith('fail') ? 500 : 200).end(), 20);
  });
  await subscribe(running, key, `${url}/ok`, ['payment.*', 'attendance.*']);
  await subscribe(running, key, `${url}/fail`, ['payment.*']);
  return { center, key, token, received };
}

async function emitMany({ app }: TestApp, centerId: number, count: number): Promise<void> {
  const { example } = eventCatalogue['payment.completed'];
  await transact(systemContext(app, 'test', centerId), async (work) => {
    for (let i = 0; i < count; i++) work.emit('payment.completed', example);
  });
}

const settled = async ({ db }: App) =>
  (await db.acrossTenants.delivery.count({ where: { nextAttemptAt: { not: null } } })) === 0;

/** How often each event came in at a path. */
function arrivals({ received }: Pick<Consumer, 'received'>, path: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const request of received.filter((each) => each.path.endsWith(path))) {
    counts.set(request.body.id, (counts.get(request.body.id) ?? 0) + 1);
  }
  return counts;
}

async function eventIds({ db }: App): Promise<string[]> {
  const events = await db.acrossTenants.platformEvent.findMany({ where: { type: { not: 'dpu.sealed' } } });
  return events.map(({ id }) => id).sort();
}

async function expectNothingLost(running: TestApp, scene: Pick<Consumer, 'received'>, interruptions: number) {
  await eventually(() => settled(running.app), 60_000);
  const ok = arrivals(scene, '/ok');
  expect([...ok.keys()].sort()).toEqual(await eventIds(running.app));
  expect(Math.max(...ok.values())).toBeLessThanOrEqual(1 + interruptions);
  for (const times of arrivals(scene, '/fail').values()) {
    expect(times).toBeGreaterThanOrEqual(ATTEMPTS);
    expect(times).toBeLessThanOrEqual(ATTEMPTS + interruptions);
  }
}

test('kill -9 of the worker in the middle of deliveries loses nothing', { timeout: LIMIT }, async () => {
  const running = await testApp();
  const scene = await makeScene(running);
  await emitMany(running, scene.center.id, 40);
  for (const enough of [20, 80]) {
    const worker = await startRole('worker', running.database.url);
    await eventually(() => scene.received.length >= enough, 60_000);
    expect(await worker.end('SIGKILL')).toBe('SIGKILL');
    const { rows } = await running.app.db
      .declared('acrossTenants')
      .query('SELECT count(*)::int AS held FROM graphile_worker.jobs WHERE locked_by IS NOT NULL');
    expect(rows[0]!['held'], 'jobs were under way').toBeGreaterThan(0);
  }
  const last = await startRole('worker', running.database.url);
  await expectNothingLost(running, scene, 2);
  expect(await last.end('SIGTERM')).toBe(0);
});

test('two workers share the load, and nothing is sent twice', { timeout: LIMIT }, async () => {
  const running = await testApp();
  const scene = await makeScene(running);
  const workers = await Promise.all([1, 2].map(() => startRole('worker', running.database.url)));
  await emitMany(running, scene.center.id, 100);
  const { superuser: pool } = running;
  await eventually(async () => {
    const { rows } = await pool.query(
      'SELECT DISTINCT locked_by FROM graphile_worker.jobs WHERE locked_by IS NOT NULL',
    );
    return rows.length >= 2;
  });
  await expectNothingLost(running, scene, 0);
  // A clean stop gives back everything and leaves no sign of life behind.
  expect(await Promise.all(workers.map((worker) => worker.end('SIGTERM')))).toEqual([0, 0]);
  const { rows } = await pool.query(
    `SELECT (SELECT count(*)::int FROM graphile_worker.jobs WHERE locked_by IS NOT NULL) AS held,
            (SELECT count(*)::int FROM worker_heartbeat) AS beats`,
  );
  expect(rows[0]).toEqual({ held: 0, beats: 0 });
});

test('kill -9 of the API between commit and reply: every change has its event', {
  timeout: LIMIT,
}, async () => {
  const running = await testApp();
  const scene = await makeScene(running);
  const { actor } = await makeMember(running.app, scene.center.id, 'CHILD');
  await startRole('worker', running.database.url);
  const record = (url: string, session: number) =>
    makeClient(url).graphql(
      `mutation ($input: RecordAttendanceInput!) { recordAttendance(input: $input) { id } }`,
      { input: { attendeeId: actor.id, sessionRef: `session ${session}`, method: 'qr' } },
      scene.token,
    );
  const sessions = Array.from({ length: 60 }, (_, i) => i);

  const killed = await startRole('api', running.database.url);
  const replied: string[] = [];
  await Promise.allSettled(
    sessions.map(async (session) => {
      const { data } = await record(killed.url, session);
      replied.push(data.recordAttendance.id);
      if (replied.length === 10) await killed.end('SIGKILL');
    }),
  );
  const attendances = () => running.app.db.acrossTenants.attendance.findMany();
  const committed = (await attendances()).map(({ id }) => id);
  expect(committed).toEqual(expect.arrayContaining(replied));
  expect(committed.length).toBeLessThan(sessions.length);
  await expectNothingLost(running, scene, 0);

  // Whoever got no reply asks again; what was done already is not done twice.
  const next = await startRole('api', running.database.url);
  await Promise.all(sessions.map((session) => record(next.url, session)));
  await expectNothingLost(running, scene, 0);
  const told = scene.received.map(({ body }) => body.data.attendanceId).sort();
  expect(told).toEqual((await attendances()).map(({ id }) => id).sort());
  expect(told).toHaveLength(sessions.length);
});

test('kill -9 of PostgreSQL loses nothing, and the worker goes on by itself', {
  timeout: LIMIT,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-crash-'));
  chmodSync(dataDir, 0o711);
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir, initdbOptions: ['--no-sync'] });
  onTestFinished(() => postgres.stop());
  await migrate(postgres.ownerUrl);
  const database = { ...(await testDatabase()), url: postgres.url };
  const running = await testApp({ database });
  const scene = await makeScene(running);
  await emitMany(running, scene.center.id, 40);

  const worker = await startRole('worker', postgres.url);
  for (const enough of [20, 80]) {
    await eventually(() => scene.received.length >= enough, 60_000);
    const killed = postgres.pid()!;
    process.kill(killed, 'SIGKILL');
    await eventually(() => ![killed, undefined].includes(postgres.pid()));
  }
  await eventually(() => settled(running.app).catch(() => false), 60_000);
  await expectNothingLost(running, scene, 2);
  expect(await worker.end('SIGTERM')).toBe(0);
});
