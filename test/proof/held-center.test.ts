import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { expectIndependent } from '../helpers/lock-waiters.ts';
import { makeStage } from '../helpers/world.ts';
import { bare } from './decisions.ts';

/** More than may wait for their own rows at the same time. */
const HELD_CENTERS = 4;

const SLOW = { timeout: 120_000 };

/** Repeats a call while its lock wait times out, and returns its final status. */
async function untilServed(call: () => Promise<number>): Promise<number> {
  for (;;) {
    const status = await call();
    if (status !== 503) return status;
  }
}

test('centers whose journal is locked delay no other center', SLOW, async () => {
  const running = await testApp();
  const stages = [];
  for (let i = 0; i <= HELD_CENTERS; i++) stages.push(await makeStage(running.app));
  const [free, ...held] = stages as [(typeof stages)[0], ...typeof stages];
  const record = async (key: string) => {
    const answer = await running.call('POST', '/v1/decision-events', { token: key, body: bare });
    return { status: answer.status, id: answer.body.data?.id as string };
  };
  // The chains of all of them exist.
  for (const { key } of stages) expect((await record(key)).status).toBe(201);

  const holder = new pg.Client(running.database.adminUrl);
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('BEGIN');
  await holder.query(
    `SELECT FROM ledger_chain WHERE center_id = ANY ($1) AND domain = 'journal' FOR UPDATE`,
    [held.map(({ center }) => center.id)],
  );
  const waiting = held.map(({ key }) => untilServed(async () => (await record(key)).status));
  const recordAndApprove = async () => {
    const { status, id } = await record(free.key);
    const approval = { approver: { id: 'boss', type: 'human' }, result: 'approved' };
    const path = `/v1/decision-events/${id}/approvals`;
    const approved = await running.call('POST', path, { token: free.key, body: approval });
    expect([status, approved.status]).toEqual([201, 200]);
  };
  for (let i = 0; i < 5; i++) await expectIndependent(running, recordAndApprove);
  await holder.query('ROLLBACK');
  expect(await Promise.all(waiting)).toEqual(held.map(() => 201));
});

test('recording and approving work while the center row is locked', async () => {
  const running = await testApp();
  const { center, key } = await makeStage(running.app);
  const holder = new pg.Client(running.database.adminUrl);
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('BEGIN');
  await holder.query('SELECT FROM center WHERE id = $1 FOR UPDATE', [center.id]);
  const recorded = await running.call('POST', '/v1/decision-events', { token: key, body: bare });
  const path = `/v1/decision-events/${recorded.body.data.id}/approvals`;
  const approval = { approver: { id: 'boss', type: 'human' }, result: 'approved' };
  const approved = await running.call('POST', path, { token: key, body: approval });
  expect([recorded.status, approved.status]).toEqual([201, 200]);
});

test('a center whose policies are being changed delays no other center', SLOW, async () => {
  const running = await testApp();
  const [changing, other] = [await makeStage(running.app), await makeStage(running.app)];
  const record = async (token: string) => {
    const { body } = await running.call('POST', '/v1/decision-events', { token, body: bare });
    return body.data.id as string;
  };
  const approve = async (token: string, id: string) => {
    const body = { approver: { id: 'boss', type: 'human' }, result: 'approved' };
    return (await running.call('POST', `/v1/decision-events/${id}/approvals`, { token, body })).status;
  };
  const waits = await record(changing.key);
  const holder = new pg.Client(running.database.adminUrl);
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('BEGIN');
  await holder.query('SELECT pg_advisory_xact_lock(27005, $1)', [changing.center.id]);
  const waiting = untilServed(() => approve(changing.key, waits));
  await expectIndependent(running, async () => {
    expect(await approve(other.key, await record(other.key))).toBe(200);
  });
  await holder.query('ROLLBACK');
  expect(await waiting).toBe(200);
});
