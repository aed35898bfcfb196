import pg from 'pg';
import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { runAs } from '../helpers/server.ts';
import { makeCenter, makeMember, makeMembership, makeStage, makeToken } from '../helpers/world.ts';
import { decision, stage } from './idempotency-stage.ts';

test('a repeated key returns the first response and changes nothing', async () => {
  const { post, count } = await stage();
  const first = await post('once', decision('x'));
  const again = await post('once', decision('x'));
  expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null]);
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await count()).toBe(1);
});

test('a body with reordered fields is equal, one with another value is a conflict', async () => {
  const { post, count } = await stage();
  const { type, actor, action } = decision('x');
  await post('ordered', { type, actor, action });
  const turned = {
    action: { input: { more: 1, note: 'x' }, type: 'note' },
    actor: { type: 'system', id: 'a' },
    type,
  };
  expect((await post('ordered', turned)).headers.get('idempotent-replayed')).toBe('true');
  const other = await post('ordered', decision('y'));
  expect([other.status, other.body.error.code]).toEqual([409, 'CONFLICT']);
  expect(await count()).toBe(1);
});

test('invalid input returns 422; another caller has separate keys', async () => {
  const { app, post } = await stage();
  const bad = await post('bad', {
    type: 'custom',
    actor: { id: 'a', type: 'system' },
    action: { type: 'x' },
    tags: [1],
  });
  expect(bad.status).toBe(422);
  const other = await makeStage(app);
  expect((await post('once', decision('x'))).status).toBe(201);
  const theirs = await post('once', decision('z'), other.key);
  expect([theirs.status, theirs.headers.get('idempotent-replayed')]).toEqual([201, null]);
});

test('a repeat during the first call gets 409 with Retry-After, then the response', async () => {
  const { database, post, count, app } = await stage();
  const holder = new pg.Client(database.adminUrl);
  await holder.connect();
  try {
    await holder.query('BEGIN; LOCK TABLE decision_event IN ACCESS EXCLUSIVE MODE');
    const first = post('slow', decision('x'));
    await eventually(async () => {
      const { rows } = await app.db.pool.query('SELECT 1 FROM idempotency_record');
      return rows.length === 1;
    });
    const early = await post('slow', decision('x'));
    expect([early.status, early.body.error.code, early.headers.get('retry-after')]).toEqual([
      409,
      'CONFLICT',
      '1',
    ]);
    await holder.query('COMMIT');
    expect((await first).status).toBe(201);
    expect((await post('slow', decision('x'))).text).toBe((await first).text);
    expect(await count()).toBe(1);
  } finally {
    await holder.end();
  }
});

test('of concurrent calls exactly one runs', async () => {
  const { post, count } = await stage();
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('many', decision('x'))));
  expect(await count()).toBe(1);
  for (const answer of answers) {
    expect([201, 409]).toContain(answer.status);
    if (answer.status === 409) expect(answer.headers.get('retry-after')).toBe('1');
  }
});

test('a server error is not stored', async () => {
  const { database, post, count } = await stage();
  await runAs(database.adminUrl, 'ALTER TABLE decision_event RENAME TO decision_event_gone');
  expect((await post('again', decision('x'))).status).toBe(500);
  await runAs(database.adminUrl, 'ALTER TABLE decision_event_gone RENAME TO decision_event');
  expect((await post('again', decision('x'))).status).toBe(201);
  expect(await count()).toBe(1);
});

test('the key must be visible ASCII; sign-in never stores its response', async () => {
  const { app, call, post } = await stage();
  for (const key of ['', 'two words', 'x'.repeat(256)]) {
    const refused = await post(key, decision('x'));
    expect([refused.status, refused.body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
  }
  const body = { email: 'nobody@example.test', password: 'wrong' };
  for (let i = 0; i < 2; i++) {
    const answer = await call('POST', '/auth/login', { body, headers: { 'idempotency-key': 'login' } });
    expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([401, null]);
  }
  expect(
    (await app.db.pool.query('SELECT 1 FROM idempotency_record WHERE key = $1', ['login'])).rows,
  ).toEqual([]);
});

test('a key belongs to the center it was used in', async () => {
  const { app, call } = await testApp();
  const { actor, token } = (await makeStage(app)).admin;
  const elsewhere = await makeCenter(app);
  await makeMembership(app, actor.id, elsewhere.id);
  const demo = (bearer: string) =>
    call('POST', '/dpu/demo', { token: bearer, body: {}, headers: { 'idempotency-key': 'same' } });
  const [here, again] = [await demo(token), await demo(token)];
  expect(again.body.data.id).toBe(here.body.data.id);
  const there = await demo(await makeToken(app, actor.id, elsewhere.id));
  expect([there.status, there.headers.get('idempotent-replayed')]).toEqual([here.status, null]);
  expect(there.body.data.id).not.toBe(here.body.data.id);
});

test.each([
  ['is suspended', { status: 'SUSPENDED' }, 'MEMBERSHIP_SUSPENDED'],
  ['has left', { status: 'ENDED' }, 'MEMBERSHIP_ENDED'],
  ['has a lesser role', { role: 'PARENT' }, 'INSUFFICIENT_ROLE'],
] as const)('a member who %s gets no replay', async (_, change, code) => {
  const { app, call } = await testApp();
  const { center } = await makeStage(app);
  const { membership, token } = await makeMember(app, center.id, 'INSTRUCTOR');
  const demo = () => call('POST', '/dpu/demo', { token, body: {}, headers: { 'idempotency-key': 'mine' } });
  const first = await demo();
  expect((await demo()).text).toBe(first.text);
  await app.db.acrossTenants.membership.update({ where: { id: membership.id }, data: change });
  await eventually(async () => (await demo()).status === 403);
  const repeat = await demo();
  expect([repeat.status, repeat.body.error.code]).toEqual([403, code]);
  expect(repeat.headers.get('idempotent-replayed')).toBeNull();
});
