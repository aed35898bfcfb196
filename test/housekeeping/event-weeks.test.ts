import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { loginOf } from '../../src/db/logins.ts';
import { migrate } from '../../src/db/migrate.ts';
import { dropEventWeeks, makeEventWeeks } from '../../src/domain/housekeeping/event-weeks.ts';
import { deleteOldEvents } from '../../src/domain/housekeeping/retention.ts';
import { cronItems } from '../../src/jobs/handlers.ts';
import { firstIdAt, newId } from '../../src/lib/ids.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { testDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/eventually.ts';
import { runAs } from '../helpers/server.ts';
import { makeStage } from '../helpers/world.ts';
import { proofStage } from '../proof/stage.ts';
import { consumer } from '../webhooks/consumer.ts';
import { deliveriesOf, emitEvent, subscribe } from '../webhooks/stage.ts';

const WEEK_MS = 7 * 86_400_000;
const command = fileURLToPath(new URL('../../src/commands/partitions.ts', import.meta.url));
const verifyCommand = fileURLToPath(new URL('../../src/commands/verify.ts', import.meta.url));

const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

interface Week {
  week: string;
  begins: string | null;
  state: string;
}

async function runCommand(file: string, { database }: TestApp, args: string[]) {
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATA_DIR: database.dataDir,
    JWT_SECRET: 'Zk8vQ2xW7rT4yN1mB6pL9sD3fG5hJ0cA',
  };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [file, ...args], { env })) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

const partitions = (running: TestApp, ...args: string[]) => runCommand(command, running, args);
const verifyChains = (running: TestApp, ...args: string[]) =>
  runCommand(verifyCommand, running, ['--chain', ...args]);

const weeksOf = async ({ superuser }: TestApp): Promise<Week[]> =>
  (await superuser.query('SELECT * FROM event_weeks() ORDER BY ends')).rows;

/** Where rows are: the partition of each event, its delivery and its attempts. */
async function placesOf({ superuser }: TestApp, eventId: string): Promise<string[]> {
  const { rows } = await superuser.query(
    `SELECT tableoid::regclass::text AS place FROM platform_event WHERE id = $1
     UNION ALL SELECT tableoid::regclass::text FROM delivery WHERE event_id = $1
     UNION ALL SELECT tableoid::regclass::text FROM delivery_attempt WHERE event_id = $1`,
    [eventId],
  );
  return rows.map(({ place }) => place);
}

const ago = (weeks: number) => new Date(Date.now() - weeks * WEEK_MS);
const nameOf = (moment: Date) => {
  const monday = new Date(moment.getTime() - ((moment.getUTCDay() + 6) % 7) * 86_400_000);
  return `w${monday.toISOString().slice(0, 10).replaceAll('-', '')}`;
};

/** Events of a center, delivered to a webhook at a given time, in the week of that time. */
async function delivered(
  running: TestApp,
  centerId: number,
  webhookId: string,
  moment: Date,
): Promise<string> {
  await running.superuser.query('SELECT make_event_weeks($1, 0)', [moment]);
  const id = `${firstIdAt('msg', moment)}a${newId('msg').slice(-16)}`;
  const values = [id, centerId, moment];
  await running.superuser.query(
    `INSERT INTO platform_event (id, center_id, type, data, created_at) VALUES ($1, $2, 'dpu.sealed', '{"dpuId":"dpu_secret","domain":"told"}', $3)`,
    values,
  );
  await running.superuser.query(
    `INSERT INTO delivery (event_id, center_id, webhook_id, status, attempts, last_attempt_at, created_at)
     VALUES ($1, $2, $4, 'success', 1, $3, $3)`,
    [...values, webhookId],
  );
  await running.superuser.query(
    `INSERT INTO delivery_attempt (event_id, webhook_id, number, started_at, duration_ms) VALUES ($1, $2, 1, $3, 5)`,
    [id, webhookId, moment],
  );
  return id;
}

test('a worker creates weekly partitions in advance, and events are stored in the week they happened', async () => {
  expect(cronItems().filter(({ task }) => task === 'make_partitions')).toHaveLength(1);
  const running = await testApp({ worker: true });
  const { key, center } = await makeStage(running.app);
  const { url, received } = await consumer();
  const { id } = await subscribe(running, key, url, ['payment.completed']);
  const eventId = await emitEvent(running.app, center.id);
  await eventually(async () => received.length === 1 && (await placesOf(running, eventId)).length === 3);
  const week = nameOf(new Date());
  expect((await placesOf(running, eventId)).sort()).toEqual(
    ['delivery_attempt', 'delivery', 'platform_event'].map((table) => `partitions.${table}_${week}`),
  );
  expect(await deliveriesOf(running, key, id)).toMatchObject([{ eventId, status: 'success' }]);

  // Ten weeks ahead there is no partition yet; such events wait in the default partition and move when theirs is created.
  const later = new Date(Date.now() + 10 * WEEK_MS);
  const early = `${firstIdAt('msg', later)}a${newId('msg').slice(-16)}`;
  await running.app.db.acrossTenants.platformEvent.create({
    data: { id: early, centerId: center.id, type: 'dpu.sealed', data: {} },
  });
  expect(await placesOf(running, early)).toEqual(['partitions.platform_event_rest']);
  expect(await makeEventWeeks(running.app, later)).toBe(3);
  expect(await placesOf(running, early)).toEqual([`partitions.platform_event_${nameOf(later)}`]);
  expect(await makeEventWeeks(running.app, later)).toBe(0);
});

test('retention drops weeks that are no longer needed and have ended, and keeps the others', async () => {
  const running = await testApp({ env: { RETENTION_DAYS: '30' } });
  const { key, center } = await makeStage(running.app);
  const { id } = await subscribe(running, key, 'http://127.0.0.1:9/');
  const [old, waiting, resent, boundary, recent] = [
    await delivered(running, center.id, id, ago(9)),
    await delivered(running, center.id, id, ago(8)),
    await delivered(running, center.id, id, ago(7)),
    await delivered(running, center.id, id, new Date(Date.now() - 30 * 86_400_000 - 1_000)),
    await delivered(running, center.id, id, ago(1)),
  ];
  const beside = await delivered(running, center.id, id, ago(8));
  await running.superuser.query(
    `UPDATE delivery SET status = 'failed', next_attempt_at = now() WHERE event_id = $1`,
    [waiting],
  );
  await running.superuser.query('UPDATE delivery SET last_attempt_at = now() WHERE event_id = $1', [resent]);

  // Apart from the one that waits, its week is deleted row by row: a delivery and its event.
  expect(await deleteOldEvents(running.app, new Date())).toBe(2);
  const left = async (event: string) => (await placesOf(running, event)).length;
  expect([await left(old), await left(beside)]).toEqual([0, 0]);
  expect([await left(waiting), await left(resent), await left(boundary), await left(recent)]).toEqual([
    3, 3, 3, 3,
  ]);
  const names = (await weeksOf(running)).map(({ week }) => week);
  expect(names).not.toContain(nameOf(ago(9)));
  expect(names).toEqual(expect.arrayContaining([nameOf(ago(8)), nameOf(ago(7)), nameOf(ago(1))]));

  await running.superuser.query(`UPDATE delivery SET next_attempt_at = NULL WHERE event_id = $1`, [waiting]);
  expect(await dropEventWeeks(running.app, ago(30 / 7))).toEqual([nameOf(ago(8))]);
  expect(await left(waiting)).toBe(0);
});

test('lists of events and deliveries page across any number of weeks', async () => {
  const running = await testApp();
  const { key, token, center } = await makeStage(running.app);
  const { id } = await subscribe(running, key, 'http://127.0.0.1:9/');
  const made: string[] = [];
  // With a month in between in which nothing happened.
  for (const week of [12, 11, 10, 9, 4, 3, 2, 1])
    made.unshift(await delivered(running, center.id, id, ago(week)));
  for (const list of ['events', 'deliveries'] as const) {
    const walked: string[] = [];
    const sizes: number[] = [];
    let after: string | undefined;
    do {
      const page = await running.graphql(
        list === 'events'
          ? 'query ($after: String) { events(first: 5, after: $after) { edges { cursor node { id } } } }'
          : 'query ($after: String) { webhooks(first: 1) { edges { node { deliveries(first: 5, after: $after) { edges { cursor node { eventId } } } } } } }',
        { after },
        token,
      );
      const { edges } = list === 'events' ? page.data.events : page.data.webhooks.edges[0].node.deliveries;
      sizes.push(edges.length);
      walked.push(...edges.map(({ node }: Parsed) => node.id ?? node.eventId));
      after = edges.at(-1)?.cursor;
    } while (after);
    expect(walked).toEqual(made);
    expect(sizes).toEqual([5, 3, 0]);
  }
});

test('the application can neither query a partition directly nor archive one', async () => {
  const { app } = await testApp();
  for (const sql of [
    `SELECT FROM partitions.platform_event_${nameOf(new Date())}`,
    `SELECT archive_event_week('${nameOf(ago(1))}')`,
    `SELECT restore_event_week('${nameOf(ago(1))}')`,
    'SELECT close_partition(NULL)',
  ]) {
    await expect(app.db.pool.query(sql), sql).rejects.toMatchObject({ code: '42501' });
  }
});

test('a week can be archived and restored, and evidence stays verifiable', {
  timeout: 90_000,
}, async () => {
  const running = await testApp();
  const stage = await proofStage(running);
  await stage.approve((await stage.record()).id);
  const { id } = await subscribe(running, stage.key, 'http://127.0.0.1:9/');
  const week = nameOf(ago(6));
  const eventId = await delivered(running, stage.center.id, id, ago(6));
  const listed = async () => idsOf(await deliveriesOf(running, stage.key, id));
  const chainValid = async () =>
    (await running.call('GET', '/dpu/verify-chain', { token: stage.token })).body.data.valid;
  expect(await listed()).toEqual([eventId]);

  const detached = await partitions(running, 'detach', week);
  expect(detached).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 archived: their events are missing'),
  });
  expect(detached.stdout).toMatch(new RegExp(`${week} .* archived`));
  expect([await listed(), await chainValid()]).toEqual([[], true]);
  const archived = await verifyChains(running);
  expect(archived).toMatchObject({ code: 0, stdout: expect.stringContaining(`Not read: ${week} (`) });
  expect(archived.stdout).toContain('1 archived week was not read.');
  const { reports } = JSON.parse((await verifyChains(running, '--json')).stdout);
  expect(reports.at(-1)).toMatchObject({ ok: true, archivedWeeks: [week] });
  expect(
    (await running.call('POST', `/v1/webhooks/events/${eventId}/retry`, { token: stage.key })).status,
  ).toBe(404);
  // Neither recreated nor dropped while it is detached.
  await running.superuser.query('SELECT make_event_weeks($1, 0)', [ago(6)]);
  expect(await dropEventWeeks(running.app, new Date())).toEqual([]);

  // Erasure reaches it there, for any caller.
  await runAs(
    running.database.ownerUrl,
    `SET cs.centers = '${stage.center.id}'; SELECT erase_from_events(${stage.center.id}, 'msg_', ARRAY['dpu_secret'], ARRAY['dpuId'])`,
  );

  expect((await partitions(running, 'attach', week)).stdout).toContain('Nothing is archived');
  expect((await verifyChains(running)).stdout).not.toContain('archived');
  expect([await listed(), await chainValid()]).toEqual([[eventId], true]);
  const { data } = await running.app.db
    .forCenter(stage.center.id)
    .platformEvent.findUniqueOrThrow({ where: { id: eventId } });
  expect(data).toEqual({ dpuId: 'dpu_secret', domain: '' });
  expect(await partitions(running, 'detach', nameOf(new Date()))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not an attached week that has ended'),
  });
  await running.superuser.query('UPDATE delivery SET next_attempt_at = now() WHERE event_id = $1', [eventId]);
  expect(await partitions(running, 'detach', week)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('a delivery or a workflow still needs an event'),
  });
});

test('rows from before the weekly partitions stay in place', async () => {
  const database = await testDatabase({ empty: true });
  const folder = await mkdtemp(join(tmpdir(), 'countersign-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(MIGRATIONS, folder, { recursive: true });
  const later = (await readdir(folder)).filter((name) => name >= '20261117230000' && name < 'a');
  for (const name of later) await rm(join(folder, name), { recursive: true });
  await migrate(database.ownerUrl, { folder });
  const id = newId('msg');
  for (const sql of [
    `INSERT INTO center (name, center_domain, vertical) VALUES ('x', 'x', 'education')`,
    `INSERT INTO webhook (id, center_id, url, events, secret) VALUES ('whk_1', 1, 'http://x', '{}', '')`,
    `INSERT INTO platform_event (id, center_id, type, data) VALUES ('${id}', 1, 'dpu.sealed', '{}'), ('msg_1', 1, 'dpu.sealed', '{}')`,
    `INSERT INTO delivery (webhook_id, event_id, center_id, status, attempts)
     SELECT 'whk_1', id, 1, 'success', 1 FROM platform_event`,
    `INSERT INTO delivery_attempt (webhook_id, event_id, number, started_at, duration_ms)
     SELECT 'whk_1', event_id, 1, now(), 1 FROM delivery`,
  ]) {
    await runAs(database.adminUrl, sql);
  }
  expect(await migrate(database.ownerUrl, { login: loginOf(database.url) })).toEqual(later);

  const running = await testApp({ database });
  const until = nameOf(new Date(Date.now() + WEEK_MS)).replace('w', 'until');
  expect(await placesOf(running, id)).toEqual(
    ['platform_event', 'delivery', 'delivery_attempt'].map((table) => `partitions.${table}_${until}`),
  );
  const { rows } = await running.app.db
    .declared([1])
    .query('SELECT event_id FROM delivery JOIN delivery_attempt USING (webhook_id, event_id) ORDER BY 1');
  expect(rows.map(({ event_id }) => event_id)).toEqual(['msg_1', id]);
  // This week is already covered.
  expect(await makeEventWeeks(running.app, new Date())).toBe(0);
  // A week is dropped as a whole once all of it is old.
  expect(await dropEventWeeks(running.app, new Date())).toEqual([]);
  expect(await dropEventWeeks(running.app, new Date(Date.now() + 2 * WEEK_MS))).toContain(until);
});

const idsOf = (deliveries: { eventId: string }[]) => deliveries.map(({ eventId }) => eventId);
