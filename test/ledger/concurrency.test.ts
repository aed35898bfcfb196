import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import type { Place } from '../../src/domain/ledger/chains/chains.ts';
import { newId } from '../../src/lib/ids.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { makeClient } from '../helpers/client.ts';
import { startServer } from '../helpers/process.ts';
import { makeCenter, makeStage } from '../helpers/world.ts';
import { isSound, rowsOf, untilSealed } from './chain.ts';

const SLOW = { timeout: 120_000 };
const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));

/** Posts a record, again while the other process holds the chain head for so long that the wait for it times out. */
async function postRecord({ call }: TestApp, token: string, content: string) {
  const headers = { 'idempotency-key': newId('key') };
  for (;;) {
    const answer = await call('POST', '/dpu/demo', { token, body: { content }, headers });
    if (answer.status !== 503) return answer;
  }
}

test('200 concurrent callers in two processes cause no gap, no fork and no lost record', SLOW, async () => {
  const one = await testApp();
  const two = await testApp({ database: one.database });
  const { center, token } = await makeStage(one.app);
  const answers = await Promise.all(
    many(200, (i) => postRecord(i % 2 === 0 ? one : two, token, `record ${i}`)),
  );
  expect(answers.map(({ status }) => status)).toEqual(many(200, () => 201));
  const rows = await rowsOf(one.app, center.id);
  expect(rows).toHaveLength(200);
  expect(isSound(rows)).toBe(true);
  for (const { body } of answers) {
    expect(rows[body.data.chainIndex]).toMatchObject({
      content: body.data.content,
      hash: body.data.chainHash,
      previous_hash: body.data.previousHash,
    });
  }
  const verified = await two.call('GET', '/dpu/verify-chain', { token });
  expect(verified.body.data).toMatchObject({ valid: true });
});

test('two processes that seal the same chains skip locked chains and lose nothing', SLOW, async () => {
  const one = await testApp();
  const two = await testApp({ database: one.database });
  const centers = await Promise.all(many(6, () => makeCenter(one.app)));
  // Each caller seals on every chain in turn, so that batches of both processes keep meeting on the same heads.
  const caller = async (name: number) => {
    const { app } = name % 2 === 0 ? one : two;
    for (let i = 0; i < 10; i++) {
      const { id } = centers[(name + i) % centers.length]!;
      const seal = () => recordDpu(systemContext(app, 'test', id), { content: `${name}/${i}` });
      acknowledged.push([id, await untilSealed(seal)]);
    }
  };
  const acknowledged: [number, Place][] = [];
  await Promise.all(many(24, caller));
  for (const { id } of centers) {
    const rows = await rowsOf(one.app, id);
    expect(rows).toHaveLength(40);
    expect(isSound(rows)).toBe(true);
    for (const [centerId, { index, hash }] of acknowledged) {
      if (centerId === id) expect(rows[index]?.hash).toBe(hash);
    }
  }
});

test('broken connections during sealing lose nothing that was acknowledged', SLOW, async () => {
  const { app, database, call } = await testApp();
  const { center, token } = await makeStage(app);
  const ctx = systemContext(app, 'test', center.id);
  const admin = new pg.Client(database.adminUrl);
  await admin.connect();
  onTestFinished(() => admin.end());

  const acknowledged: Place[] = [];
  let refused = 0;
  let broken = 0;
  let done = false;
  const caller = async (name: number) => {
    for (let i = 0; !done; i++) {
      await recordDpu(ctx, { content: `${name}/${i}` }).then(
        (place) => acknowledged.push(place),
        () => refused++,
      );
    }
  };
  const callers = many(8, caller);
  // Any connection that is inside a sealing transaction at the moment.
  while (broken < 10) {
    const { rows } = await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'countersign'
         AND backend_xid IS NOT NULL LIMIT 1`,
    );
    broken += rows.length;
  }
  done = true;
  await Promise.all(callers);

  expect(refused).toBeGreaterThan(0);
  const rows = await rowsOf(app, center.id);
  expect(isSound(rows)).toBe(true);
  for (const { index, hash } of acknowledged) expect(rows[index]?.hash).toBe(hash);
  // Rejected means not written, unless the connection broke during the commit.
  expect(rows.length).toBeLessThanOrEqual(acknowledged.length + refused);
  const { body } = await call('GET', '/dpu/verify-chain', { token });
  expect(body.data).toMatchObject({ valid: true });
  await recordDpu(ctx, { content: 'and it goes on' });
});

test('a process killed while sealing leaves a valid chain with every acknowledged record', SLOW, async () => {
  const { app, database, call } = await testApp();
  const { center, token } = await makeStage(app);
  const server = await startServer({
    env: { NODE_ENV: 'test', DATABASE_URL: database.url, ROLE: 'api', RATE_STANDARD: '0' },
  });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  const client = makeClient(server.url);

  const acknowledged: { chainIndex: number; chainHash: string }[] = [];
  const caller = async (name: number) => {
    for (let i = 0; ; i++) {
      const body = { content: `${name}/${i}` };
      const answer = await client.call('POST', '/dpu/demo', { token, body }).catch(() => null);
      if (!answer) return;
      acknowledged.push(answer.body.data);
      if (acknowledged.length === 60) void server.end('SIGKILL');
    }
  };
  await Promise.all(many(8, caller));
  expect(await server.end()).toBe('SIGKILL');
  expect(acknowledged.length).toBeGreaterThanOrEqual(60);

  // The dead process's transaction is rolled back as soon as the database notices; another process continues immediately.
  const ctx = systemContext(app, 'test', center.id);
  const next = await recordDpu(ctx, { content: 'from another process' });
  const rows = await rowsOf(app, center.id);
  expect(isSound(rows)).toBe(true);
  expect(rows[next.index]).toMatchObject({ content: 'from another process' });
  for (const { chainIndex, chainHash } of acknowledged) expect(rows[chainIndex]?.hash).toBe(chainHash);
  const { body } = await call('GET', '/dpu/verify-chain', { token });
  expect(body.data).toMatchObject({ valid: true });
});
