import { rm } from 'node:fs/promises';
import { parseCheckpoint, parseWitnessKey, verifyCosignature } from '@countersign/proof-kit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { execute } from '../../src/commands/recover/command.ts';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/eventually.ts';
import { type ClusterTemplate, type FailoverPair, makeClusterTemplate } from '../helpers/failover.ts';
import { makeStage } from '../helpers/world.ts';
import { decision } from '../proof/decisions.ts';
import { witnessHere } from '../witness/in-process.ts';
import { startSealing } from './load.ts';
import { machineOn } from './machine.ts';

const PUBLIC_URL = 'https://proof.example';
let template: ClusterTemplate;
beforeAll(async () => {
  template = await makeClusterTemplate();
}, 60_000);
afterAll(() => template.remove());

async function pair(synchronous: boolean): Promise<FailoverPair> {
  const made = await template.makePair({ synchronous });
  onTestFinished(() => made.stop());
  return made;
}

/** Removed with its folder at the end of the test. */
async function machine(urls: FailoverPair['urls']): Promise<TestDatabase> {
  const made = await machineOn(urls);
  onTestFinished(() => rm(made.dataDir, { recursive: true, force: true }));
  return made;
}

const readiness = async ({ fetch }: TestApp) =>
  (await (await fetch('/readyz')).json()) as { status: string; checks: Record<string, string> };
const headOf = async ({ fetch }: TestApp) => parseCheckpoint(await (await fetch('/log/checkpoint')).text());
/** Whether the witness has cosigned the newest head. */
const isCosigned = async (running: TestApp, vkey: string) =>
  (await verifyCosignature((await headOf(running)).note, parseWitnessKey(vkey))).status === 'valid';

test('failover to a synchronous standby loses and duplicates no acknowledged write, and the log continues', async () => {
  const cluster = await pair(true);
  const first = await testApp({ database: await machine(cluster.urls), env: { PUBLIC_URL } });
  const vkey = (await (await first.fetch('/.well-known/countersign-keys.txt')).text()).trim();
  const witness = await witnessHere([vkey], 'friend.example');
  await first.close();
  const env = { PUBLIC_URL, WITNESSES: witness.pair, CHECKPOINT_SECONDS: '1' };
  const one = await testApp({ database: first.database, env, worker: true });
  const two = await testApp({ database: await machine(cluster.urls), env });
  const { center, key, token } = await makeStage(one.app);
  const load = startSealing([one, two], key);
  await eventually(() => load.sealed.size > 30);
  const before = await headOf(one);

  await cluster.killPrimary();
  await cluster.promote();
  cluster.address.moveTo(cluster.standby.port);
  const sealed = load.sealed.size;
  await eventually(() => load.sealed.size > sealed + 30);
  await load.stop();

  expect(load.surprises).toEqual([]);
  const { rows } = await one.app.db
    .declared('acrossTenants')
    .query<{ id: string; key: string; approvals: number }>(
      `SELECT e.id, e.tags[1] AS key, (SELECT count(*)::int FROM approval a WHERE a.event_id = e.id) AS approvals
       FROM decision_event e WHERE e.center_id = $1`,
      [center.id],
    );
  const stored = new Map(rows.map((row) => [row.key, row]));
  expect(stored.size).toBe(rows.length);
  for (const [name, id] of load.sealed) expect(stored.get(name)).toMatchObject({ id, approvals: 1 });
  for (const running of [one, two]) {
    const { data } = (await running.call('GET', '/dpu/verify-chain', { token })).body;
    expect(data).toMatchObject({ valid: true, losses: [] });
    await expect.poll(() => readiness(running)).toMatchObject({ status: 'ready', checks: { signing: 'ok' } });
  }
  await signDueChains(two.app);
  const after = await headOf(two);
  expect(after.origin).toBe('proof.example/log');
  expect(after.size).toBeGreaterThan(before.size);
  await eventually(() => isCosigned(two, witness.vkey));
}, 90_000);

test('failover to a lagging standby: the lost tail is detected and stops sealing until it is accepted', async () => {
  const cluster = await pair(false);
  const env = { PUBLIC_URL, CHECKPOINT_SECONDS: '60' };
  const one = await testApp({ database: await machine(cluster.urls), env });
  const two = await testApp({ database: await machine(cluster.urls), env });
  const { center, key, token } = await makeStage(one.app);
  const early = startSealing([one, two], key);
  await eventually(() => early.sealed.size > 5);
  await early.stop();
  await signDueChains(one.app);
  cluster.stopReplication();
  const late = startSealing([one, two], key, 'late');
  await eventually(() => late.sealed.size > 5);
  await late.stop();
  await signDueChains(one.app);
  const signed = await headOf(one);

  await cluster.killPrimary();
  await cluster.promote();
  cluster.address.moveTo(cluster.standby.port);
  // No signing round is due: the process with the file checks as soon as the database is back.
  for (const running of [one, two])
    await eventually(async () => (await readiness(running)).checks['history'] === 'lost');
  for (const running of [one, two]) {
    const post = (path: string, body: unknown) => running.call('POST', `/v1${path}`, { token: key, body });
    const event = (await post('/decision-events', decision)).body.data;
    const approval = { approver: { id: 'boss', type: 'human' }, result: 'approved' };
    const refused = await post(`/decision-events/${event.id}/approvals`, approval);
    expect([refused.status, refused.body.error.details.reason]).toEqual([503, 'history_lost']);
    await expect(signDueChains(running.app)).rejects.toMatchObject({ name: 'SigningRefused' });
  }

  expect((await execute(one.app, { verb: 'inspect', json: false })).code).toBe(1);
  await execute(one.app, { verb: 'accept-loss', reason: 'The primary is gone.', json: false });
  expect((await execute(one.app, { verb: 'inspect', json: false })).code).toBe(0);
  const again = startSealing([one, two], key, 'again');
  await eventually(() => again.sealed.size > 5);
  await again.stop();
  for (const running of [two, one]) await signDueChains(running.app);
  for (const running of [one, two]) {
    const { data } = (await running.call('GET', '/dpu/verify-chain', { token })).body;
    expect(data).toMatchObject({ valid: true, differences: [] });
    expect(data.losses.map(({ chain }: { chain: string }) => chain)).toContain(
      `proof.example/chains/${center.id}/proof`,
    );
    expect(await headOf(running)).toMatchObject({ origin: 'proof.example/log/2' });
  }
  const closed = parseCheckpoint(await (await two.fetch('/log/1/checkpoint')).text());
  expect(closed).toMatchObject({ origin: 'proof.example/log', size: signed.size });
}, 90_000);

test('with two primaries, the one that a witness contradicts stops signing', async () => {
  const cluster = await pair(false);
  const first = await testApp({ database: await machine(cluster.urls), env: { PUBLIC_URL } });
  const vkey = (await (await first.fetch('/.well-known/countersign-keys.txt')).text()).trim();
  const witness = await witnessHere([vkey], 'friend.example');
  const { key } = await makeStage(first.app);
  await first.close();
  const env = { PUBLIC_URL, WITNESSES: witness.pair };
  const old = await testApp({ database: first.database, env });
  await signDueChains(old.app);
  await eventually(async () => (await readiness(old)).checks['witnesses'] === 'ok');
  cluster.stopReplication();
  await cluster.promote();
  const promoted = await testApp({ database: await machine(cluster.urlsAt(cluster.standby.port)), env });
  // Both have the same number of entries, so the witness cannot tell them apart by size.
  for (const running of [old, promoted]) {
    const load = startSealing([running], key);
    await eventually(() => load.sealed.size > 0);
    await load.stop();
  }
  // A round does not wait for a slow witness.
  await eventually(async () => {
    await signDueChains(promoted.app);
    return isCosigned(promoted, witness.vkey);
  });
  const refusal = () =>
    signDueChains(old.app).then(
      () => null,
      (error: Error) => error.name,
    );
  await expect.poll(refusal).toBe('SigningRefused');
  await expect.poll(async () => (await readiness(old)).checks).toMatchObject({ signing: 'refused' });
  await expect.poll(async () => (await readiness(promoted)).checks).toMatchObject({ signing: 'ok' });
}, 90_000);
