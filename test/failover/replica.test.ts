import type { ProofDocument } from '@countersign/proof-kit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/eventually.ts';
import {
  type ClusterTemplate,
  type FailoverPair,
  type MovingAddress,
  makeClusterTemplate,
  movingAddress,
} from '../helpers/failover.ts';
import { runAs } from '../helpers/server.ts';
import { makeStage } from '../helpers/world.ts';
import { decision } from '../proof/decisions.ts';
import { machineOn } from './machine.ts';

/** Far more than a test takes: a busy machine must not make the standby unusable. */
const MAX_LAG_SECONDS = '300';

let template: ClusterTemplate;
let cluster: FailoverPair;
let machine: TestDatabase;
/** Where the service reaches the standby. */
let standby: MovingAddress;
let service: TestApp;
let stage: Awaited<ReturnType<typeof makeStage>>;
let other: Awaited<ReturnType<typeof makeStage>>;
/** A decision that was sealed and signed when the tests began. */
let early: { id: string; evidenceId: string; sealedAt: number };

beforeAll(async () => {
  template = await makeClusterTemplate();
  cluster = await template.makePair({ synchronous: false });
  machine = await machineOn(cluster.urls);
  standby = await movingAddress(cluster.standby.port);
  service = await start(MAX_LAG_SECONDS);
  stage = await makeStage(service.app);
  other = await makeStage(service.app);
  early = { ...(await seal()), sealedAt: Date.now() };
  await signDueChains(service.app);
}, 90_000);

afterAll(async () => {
  await service?.close();
  standby?.close();
  await cluster?.stop();
  template?.remove();
});

async function start(maxLagSeconds: string): Promise<TestApp> {
  const DATABASE_REPLICA_URL = cluster.urlsAt(standby.port).url;
  const env = { DATABASE_REPLICA_URL, REPLICA_MAX_LAG_SECONDS: maxLagSeconds };
  return startTestApp({ database: machine, env });
}

/** The standby replays nothing until the test ends or it is resumed. */
async function pauseReplay(of = service): Promise<{ resume(): Promise<void> }> {
  const { adminUrl } = cluster.urlsAt(cluster.standby.port);
  // Everything written before has been replayed.
  await caughtUp(of);
  await runAs(adminUrl, 'SELECT pg_wal_replay_pause()');
  let paused = true;
  const resume = async () => {
    if (paused) await runAs(adminUrl, 'SELECT pg_wal_replay_resume()');
    paused = false;
  };
  onTestFinished(resume);
  return { resume };
}

async function caughtUp({ app }: TestApp): Promise<void> {
  const position = await app.db.replica!.positionAfterCommit();
  await eventually(() => app.db.replica!.isUsable(position));
}

const readiness = async ({ fetch }: TestApp) =>
  (await (await fetch('/readyz')).json()) as { status: string; checks: Record<string, string> };

const record = (key = stage.key, headers: Record<string, string> = {}) =>
  service.call('POST', '/v1/decision-events', { token: key, body: decision, headers });

const approve = (id: string) =>
  service.call('POST', `/v1/decision-events/${id}/approvals`, {
    token: stage.key,
    body: { approver: { id: 'boss', type: 'human' }, result: 'approved' },
  });

async function seal(): Promise<{ id: string; evidenceId: string }> {
  const { id, evidence } = (await record()).body.data as { id: string; evidence: { id: string } };
  expect((await approve(id)).status).toBe(200);
  return { id, evidenceId: evidence.id };
}

async function listed(after?: string | null, { call }: TestApp = service): Promise<string[]> {
  const headers: Record<string, string> = after ? { 'x-read-after': after } : {};
  const answer = await call('GET', '/v1/decision-events', { token: stage.key, headers });
  expect(answer.status).toBe(200);
  return answer.body.data.map(({ id }: { id: string }) => id);
}

test('lists are read from the standby, lookups by id from the primary, and callers read their own writes', async () => {
  await record();
  const replay = await pauseReplay();
  const before = await listed();
  const answer = await record();
  const { id } = answer.body.data as { id: string };
  const position = answer.headers.get('x-read-after');
  expect(position).toMatch(/^[0-9A-F]+\/[0-9A-F]+$/);
  await expect.poll(() => listed()).toEqual(before);
  expect(await listed(position)).toEqual([id, ...before]);
  expect(await listed('not a position')).toEqual([id, ...before]);
  const found = await service.call('GET', `/v1/decision-events/${id}`, { token: stage.key });
  expect(found.body.data).toMatchObject({ id });

  await replay.resume();
  await eventually(async () => (await listed()).includes(id));
  await caughtUp(service);
  const { replica } = { ...service.app.db.replica!.counts() };
  await eventually(async () => {
    expect(await listed(position)).toEqual([id, ...before]);
    return service.app.db.replica!.counts().replica > replica;
  });
}, 60_000);

test('every write returns its position (REST, replays, GraphQL mutations), and reads return none', async () => {
  const position = /^[0-9A-F]+\/[0-9A-F]+$/;
  const headers = { 'idempotency-key': 'told-twice' };
  const first = await record(stage.key, headers);
  const again = await record(stage.key, headers);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  for (const { headers: told } of [first, again]) expect(told.get('x-read-after')).toMatch(position);
  const read = await service.call('GET', '/v1/decision-events', { token: stage.key });
  expect(read.headers.get('x-read-after')).toBeNull();

  const replay = await pauseReplay();
  const post = (query: string, more: Record<string, string> = {}) =>
    service.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${stage.token}`, ...more },
      body: JSON.stringify({ query }),
    });
  const group = await post('mutation { createGroup(input: {name: "Finance"}) { id } }');
  const { data: made } = (await group.json()) as { data: { createGroup: { id: string } } };
  expect(made.createGroup).toBeTruthy();
  const told = group.headers.get('x-read-after')!;
  expect(told).toMatch(position);
  const list = 'query { groups(first: 5) { edges { node { name } } } }';
  const namesIn = async (response: Response) => {
    const { data } = (await response.json()) as { data: { groups: { edges: { node: { name: string } }[] } } };
    return data.groups.edges.map(({ node }) => node.name);
  };
  await expect.poll(async () => namesIn(await post(list))).toEqual([]);
  expect(await namesIn(await post(list, { 'x-read-after': told }))).toEqual(['Finance']);
  await replay.resume();
}, 60_000);

test('reads that decide a write go to the primary', async () => {
  await pauseReplay();
  const { id } = (await record()).body.data as { id: string };
  expect((await approve(id)).status).toBe(200);
  // The standby has neither the event nor its approval.
  await expect.poll(() => listed()).not.toContain(id);
  expect((await approve(id)).status).toBe(409);
}, 60_000);

test('verification reads from the standby, or from the primary if the checkpoint file is ahead of it', async () => {
  const replay = await pauseReplay();
  const verify = async () =>
    (await service.call('GET', '/dpu/verify-chain', { token: stage.token })).body.data as {
      valid: boolean;
      chainLength: number;
    };
  const before = await verify();
  expect(before.valid).toBe(true);
  const { id } = (await record()).body.data as { id: string };
  await approve(id);
  await expect.poll(verify).toEqual(before);
  await signDueChains(service.app);
  const after = await verify();
  expect(after.valid).toBe(true);
  expect(after.chainLength).toBeGreaterThan(before.chainLength);
  await replay.resume();
}, 60_000);

test('the standby enforces tenant isolation', async () => {
  await record(other.key);
  await caughtUp(service);
  const answer = await service.call('GET', '/v1/decision-events', { token: other.key });
  expect(answer.body.data).toHaveLength(1);
  expect(await listed()).not.toContain(answer.body.data[0].id);
  const { reads, counts } = service.app.db.replica!;
  const count = 'SELECT count(*)::int AS rows FROM decision_event';
  // Until the standby alone has answered: the primary takes over while a busy standby is slow.
  await eventually(async () => {
    const { primary } = { ...counts() };
    expect((await reads.declared([other.center.id]).query(count)).rows).toEqual([{ rows: 1 }]);
    expect((await reads.declared([]).query(count)).rows).toEqual([{ rows: 0 }]);
    expect(await reads.forCenter(other.center.id).decisionEvent.count()).toBe(1);
    return counts().primary === primary;
  });
}, 60_000);

test('a standby that lags beyond the limit is not used until it has caught up', async () => {
  const strict = await start('1');
  onTestFinished(() => strict.close());
  await eventually(async () => (await readiness(strict)).checks['replica'] === 'ok');
  const replay = await pauseReplay();
  const { id } = (await record()).body.data as { id: string };
  await eventually(async () => (await readiness(strict)).checks['replica'] === 'behind');
  await expect.poll(() => readiness(strict)).toMatchObject({ status: 'ready' });
  expect(await listed(null, strict)).toContain(id);
  const metrics = await (await strict.fetch('/metrics')).text();
  expect(metrics).toContain('countersign_replica_state{state="behind"} 1');
  expect(metrics).toMatch(/countersign_replica_lag_seconds [1-9]/);
  await replay.resume();
  await eventually(async () => (await readiness(strict)).checks['replica'] === 'ok');
}, 60_000);

test('a standby that becomes unavailable fails no call, and is used again when it is back', async () => {
  await caughtUp(service);
  let on = true;
  let calls = 0;
  const callers = Array.from({ length: 4 }, async () => {
    for (; on; calls++) await listed();
  });
  const more = async () => {
    const from = calls;
    await eventually(() => calls > from + 20);
  };
  await more();
  standby.cut();
  await eventually(async () => (await readiness(service)).checks['replica'] === 'away');
  await more();
  standby.moveTo(cluster.standby.port);
  await eventually(async () => (await readiness(service)).checks['replica'] === 'ok');
  const { replica } = { ...service.app.db.replica!.counts() };
  await eventually(() => service.app.db.replica!.counts().replica > replica + 20);
  on = false;
  await Promise.all(callers);
}, 60_000);

test('switching to a standby that is further behind never returns older data', async () => {
  await caughtUp(service);
  const ids = await listed();
  expect(ids).not.toEqual([]);
  // Made from the same template without later writes: as far behind as a standby can be.
  const older = await template.makePair({ synchronous: false });
  onTestFinished(() => older.stop());
  onTestFinished(() => standby.moveTo(cluster.standby.port));
  standby.moveTo(older.standby.port);
  const checked = async () => {
    expect(await listed()).toEqual(ids);
    return (await readiness(service)).checks['replica'];
  };
  await eventually(async () => (await checked()) === 'behind');
  standby.moveTo(cluster.standby.port);
  await eventually(async () => (await checked()) === 'ok');
}, 60_000);

test('exports of records older than the lag are read from the standby, others from the primary', async () => {
  const maxLagSeconds = 5;
  const exporting = await start(String(maxLagSeconds));
  onTestFinished(() => exporting.close());
  const sizeIn = async (evidenceId: string, headers: Record<string, string> = {}) => {
    const path = `/v1/evidence/${evidenceId}/export`;
    const answer = await exporting.call('GET', path, { token: stage.key, headers });
    expect(answer.status).toBe(200);
    return (answer.body as ProofDocument).inclusion!.treeSize;
  };
  await eventually(() => Date.now() - early.sealedAt > maxLagSeconds * 1_000);
  // On a busy machine the paused standby may be too far behind before the export begins.
  await eventually(async () => {
    const replay = await pauseReplay(exporting);
    const written = await record();
    const { id, evidence } = written.body.data as { id: string; evidence: { id: string } };
    const after = (await approve(id)).headers.get('x-read-after')!;
    await signDueChains(service.app);
    const stale = await sizeIn(early.evidenceId);
    const current = await sizeIn(early.evidenceId, { 'x-read-after': after });
    expect(await sizeIn(evidence.id)).toBe(current);
    await replay.resume();
    return stale < current;
  });
}, 60_000);

// Runs last: afterwards there is no standby any more.
test('a promoted standby is no longer used for reads', async () => {
  cluster.stopReplication();
  await cluster.promote();
  await eventually(async () => (await readiness(service)).checks['replica'] === 'not a standby');
  const { id } = (await record()).body.data as { id: string };
  expect(await listed()).toContain(id);
}, 60_000);
