import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { Client } from '../../src/db/internals/pg-client.ts';
import { testDatabase } from '../helpers/database.ts';
import { relayTo } from '../helpers/relay.ts';

const MEGABYTE = 1_048_576;

async function databaseUrl(): Promise<string> {
  const database = await testDatabase();
  onTestFinished(() => database.drop());
  return database.url;
}

async function open(url?: string, answerTimeoutMs = 60_000): Promise<pg.Client> {
  const connectionString = url ?? (await databaseUrl());
  const client = new Client({ connectionString, pipeline: true, answerTimeoutMs });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}

const statement = () => ({
  name: 'length',
  text: 'SELECT length($1::bytea)::int AS length',
  values: [Buffer.alloc(MEGABYTE)],
});

test('queries work with callback, promise and prepared statement', async () => {
  const client = await open();
  const called = new Promise((resolve, reject) => {
    client.query('SELECT $1::int AS number', [1], (error, { rows }) =>
      error ? reject(error) : resolve(rows),
    );
  });
  expect(await called).toEqual([{ number: 1 }]);
  expect((await client.query('SELECT $1::int AS number', [2])).rows).toEqual([{ number: 2 }]);
  expect((await client.query(statement())).rows).toEqual([{ length: MEGABYTE }]);
});

test('an error rejects the query with the stack of its caller, and the connection stays usable', async () => {
  const client = await open();
  async function whoAsked() {
    await client.query('SELECT nothing_like_it');
  }
  const error: unknown = await whoAsked().catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: '42703', stack: expect.stringContaining('whoAsked') });
  const unsendable = { toPostgres: () => expect.unreachable() };
  await expect(client.query('SELECT $1::text', [unsendable])).rejects.toThrow();
  expect((await client.query('SELECT 3 AS number')).rows).toEqual([{ number: 3 }]);
});

test('a pending query times out if the server is silent; an idle connection does not', async () => {
  const relay = await relayTo(await databaseUrl());
  const timeoutMs = 500;
  const idle = await open(relay.url, timeoutMs);
  const client = await open(relay.url, timeoutMs);
  const errors: Error[] = [];
  idle.on('error', (error) => errors.push(error));
  relay.stall();
  await expect(client.query('SELECT 4')).rejects.toThrow('Query read timeout');
  // It has been idle for longer than the timeout, because it was opened first.
  expect(errors).toEqual([]);
  const waiting = [idle.query('SELECT 5'), idle.query('SELECT 6')];
  for (const each of waiting) await expect(each).rejects.toThrow('Query read timeout');
});
