/**
 * What src/db/internals uses of its libraries beyond their documented API. A version that changes any of it fails here before
 * it fails in production.
 */
import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import { run, type WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import { expect, test } from 'vitest';
import { Client, connectionOf } from '../../src/db/internals/pg-client.ts';
import { metered } from '../../src/lib/row-meter.ts';
import { testApp } from '../helpers/app.ts';
import { runAs } from '../helpers/server.ts';

const CENTERS = `SELECT current_setting('cs.centers', true) AS centers`;

test('the pg driver has the methods and events that src/db relies on', async () => {
  const { app, database } = await testApp();
  const client = new Client({ connectionString: database.url, answerTimeoutMs: 60_000 });
  const errors: Error[] = [];
  client.on('error', (error) => errors.push(error));
  await client.connect();
  const connection = connectionOf(client) as unknown as EventEmitter & Record<string, unknown>;
  expect(connection).toMatchObject({ bind: expect.any(Function), execute: expect.any(Function) });
  const refused = once(connection, 'errorMessage');
  await expect(client.query('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
  expect((await refused)[0]).toMatchObject({ code: '22012' });
  const statement = new pg.Query({ text: 'SELECT 1' }) as unknown as Record<string, unknown>;
  for (const name of ['prepare', 'handleDataRow', 'handleCommandComplete'])
    expect(statement[name], name).toBeTypeOf('function');
  expect(statement).toHaveProperty('queryMode');
  const ended = new Promise((resolve) => client.once('end', resolve));
  connectionOf(client).stream.destroy(new Error('cut'));
  await ended;
  expect(errors[0]).toMatchObject({ message: 'cut' });

  // In one round trip, and gone afterwards.
  expect((await app.db.declared([5, 7]).query(CENTERS)).rows).toEqual([{ centers: '5,7' }]);
  expect((await app.db.pool.query(CENTERS)).rows[0].centers).toBeFalsy();
});

test('a meter sees the size of each row, of Prisma’s statements too, and can end a statement', async () => {
  const { app } = await testApp();
  const [db, prisma] = [app.db.declared([1]), app.db.forCenter(1)];
  const sizes: number[] = [];
  const refusal = new Error('too much');
  let most = 2;
  const count = (bytes: number) => {
    if (bytes > 0) sizes.push(bytes);
    return sizes.length > most ? refusal : null;
  };
  const rows = (number: number) =>
    metered({ count }, () => db.query(`SELECT repeat('x', 1000) FROM generate_series(1, ${number})`));
  expect((await rows(2)).rows).toHaveLength(2);
  expect(sizes).toEqual([1_010, 1_010].map((bytes) => expect.closeTo(bytes, -1)));
  await expect(rows(50)).rejects.toThrow(refusal);
  // The rows that follow are not counted, and further statements are not sent.
  await expect(rows(1)).rejects.toThrow(refusal);
  expect(sizes).toHaveLength(3);
  most = 3;
  await expect(metered({ count }, () => prisma.plan.findMany())).rejects.toBe(refusal);
  expect((await db.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  expect(sizes).toHaveLength(4);
  // A change is not undone by a refusal, so it is never refused.
  const change = `INSERT INTO tally_delta (key, delta) VALUES ('test', 1) RETURNING key`;
  await expect(metered({ count }, () => db.query(change))).resolves.toMatchObject({ rowCount: 1 });
  // The server stops sending: the statement has 200 MB.
  most = 4;
  let stream: Socket | undefined;
  app.db.pool.once('acquire', (client) => (stream = connectionOf(client).stream));
  await expect(rows(200_000)).rejects.toThrow(refusal);
  expect(stream!.bytesRead).toBeLessThan(20_000_000);
});

test('Prisma uses the given pool, and starts a transaction with BEGIN', async () => {
  const { app } = await testApp();
  const adapter = await new PrismaPg(app.db.pool).connect();
  expect(adapter).toMatchObject({ client: app.db.pool });

  const declared = (centerId: number) =>
    app.db.forCenter(centerId).$queryRawUnsafe<{ centers: string }[]>(CENTERS);
  expect(await Promise.all([declared(5), declared(7)])).toEqual([[{ centers: '5' }], [{ centers: '7' }]]);
  const inTransaction = app.db
    .forCenter(9)
    .$transaction((tx) => Promise.all([tx.$queryRawUnsafe(CENTERS), tx.$queryRawUnsafe(CENTERS)]));
  expect(await inTransaction).toEqual([[{ centers: '9' }], [{ centers: '9' }]]);
});

test('graphile-worker has the columns, function and method that the queue relies on', async () => {
  const { database } = await testApp();
  const columns = await runAs(
    database.adminUrl,
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'graphile_worker'`,
  );
  const jobs = ['id', 'task_id', 'payload', 'run_at', 'attempts', 'max_attempts', 'last_error', 'locked_by'];
  expect(columns.rows.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      ...jobs.map((column) => `_private_jobs.${column}`),
      '_private_jobs.locked_at',
      '_private_tasks.id',
      '_private_tasks.identifier',
    ]),
  );
  const functions = await runAs(
    database.adminUrl,
    `SELECT proname AS name, prosrc AS source FROM pg_proc WHERE proname IN ('add_jobs', 'queue_jobs') ORDER BY 1`,
  );
  expect(functions.rows.map(({ name, source }) => [name, source.split('pg_notify').length - 1])).toEqual([
    ['add_jobs', 1],
    ['queue_jobs', 0],
  ]);

  const events: WorkerEvents = new EventEmitter();
  const queue = once(events as EventEmitter, 'localQueue:init');
  const runner = await run({
    connectionString: database.url,
    taskList: { nothing: async () => {} },
    noHandleSignals: true,
    events,
    preset: { worker: { localQueue: { size: 1 } } },
  });
  const [{ localQueue }] = await queue;
  await runner.stop();
  expect(localQueue.background).toBeTypeOf('function');
});
