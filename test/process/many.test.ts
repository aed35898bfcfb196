import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type Answer, makeClient, type TestClient } from '../helpers/client.ts';
import { eventually } from '../helpers/eventually.ts';
import { type ServerProcess, startServer } from '../helpers/process.ts';
import { watch } from '../helpers/watch.ts';
import { makePartner, makeStage } from '../helpers/world.ts';
import { decision } from '../proof/decisions.ts';
import { consumer } from '../webhooks/consumer.ts';
import { subscribe } from '../webhooks/stage.ts';

const PARTNER_RATE = 7;

const env = {
  RATE_STANDARD: '0',
  RATE_PROOF: '0',
  RATE_ANONYMOUS: '0',
  RATE_GRAPHQL: '0',
  RATE_PARTNER: String(PARTNER_RATE),
  DELIVERY_CONCURRENCY: '8',
  DATABASE_POOL: '8',
};

/** Makes people and places; everything that is tested goes through the two APIs. */
let stagehand: TestApp;
const servers: ServerProcess[] = [];
let apis: TestClient[];

beforeAll(async () => {
  stagehand = await startTestApp();
  const { url: DATABASE_URL, checkpointFile: CHECKPOINT_FILE } = stagehand.database;
  const start = (ROLE: string) => startServer({ env: { ...env, ROLE, DATABASE_URL, CHECKPOINT_FILE } });
  // Two at a time: a machine busy with other tests cannot start four within a minute.
  for (const role of ['api', 'worker']) servers.push(...(await Promise.all([start(role), start(role)])));
  apis = servers.slice(0, 2).map(({ url }) => makeClient(url));
}, 150_000);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end()));
  await stagehand.close();
});

/** The same number of calls through each API, all at once. */
function throughBoth<T>(eachOf: number, run: (api: TestClient, i: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: 2 * eachOf }, (_, i) => run(apis[i % 2]!, i)));
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted();
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

async function proofStage() {
  const stage = await makeStage(stagehand.app);
  const post = (api: TestClient, path: string, body: object) =>
    api.call('POST', `/v1${path}`, { token: stage.key, body });
  const record = async (api: TestClient): Promise<string> =>
    (await post(api, '/decision-events', decision)).body.data.id;
  const approve = (api: TestClient, eventId: string, approver = 'boss') =>
    post(api, `/decision-events/${eventId}/approvals`, {
      approver: { id: approver, type: 'human' },
      result: 'approved',
    });
  return { ...stage, post, record, approve };
}

test('appends in both processes form one chain without a fork', async () => {
  const { key, token, record, approve } = await proofStage();
  const [demos, sealed] = await Promise.all([
    throughBoth(15, (api, i) => api.call('POST', '/dpu/demo', { token, body: { content: `record ${i}` } })),
    throughBoth(15, async (api, i) => {
      const eventId = await record(api);
      // Sealed by the process that did not record it.
      const answer = await approve(apis[(i + 1) % 2]!, eventId);
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('sha256:')]);
      return (await api.call('GET', `/v1/decision-events/${eventId}`, { token: key })).body.data.evidence;
    }),
  ]);
  const places = (of: { chainIndex: number }[]) =>
    of.map((each) => each.chainIndex).toSorted((a, b) => a - b);
  expect(places(demos.map(({ body }) => body.data))).toEqual(upTo(30));
  expect(places(sealed)).toEqual(upTo(30));
  for (const api of apis) {
    const { body } = await api.call('GET', '/dpu/verify-chain', { token });
    expect(body.data).toMatchObject({ valid: true, brokenAt: null });
    const lengths = body.data.chains.map((chain: { domain: string; chainLength: number }) => [
      chain.domain,
      chain.chainLength,
    ]);
    expect(lengths).toEqual(
      expect.arrayContaining([
        ['platform', 30],
        ['proof', 30],
      ]),
    );
  }
});

test('concurrent approvals in both processes seal an event once', async () => {
  const { token, record, approve } = await proofStage();
  for (let round = 1; round <= 4; round++) {
    const eventId = await record(apis[0]!);
    const answers = await throughBoth(3, (api, i) => approve(api, eventId, `approver ${i}`));
    expect(statuses(answers)).toEqual([200, 409, 409, 409, 409, 409]);
    const { body } = await apis[1]!.call('GET', '/dpu/verify-chain', { token });
    const proof = body.data.chains.find(({ domain }: { domain: string }) => domain === 'proof');
    expect(proof).toMatchObject({ valid: true, chainLength: round });
  }
});

test('one idempotency key creates one event, in whichever process it arrives', async () => {
  const { key, post } = await proofStage();
  const keyed = { ...decision, idempotencyKey: 'order-17' };
  const answers = await throughBoth(4, (api) => post(api, '/decision-events', keyed));
  expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  const others = await throughBoth(1, (api) => post(api, '/decision-events', { ...keyed, tags: ['other'] }));
  expect(others.map(({ status, body }) => [status, body.error.code])).toEqual([
    [409, 'CONFLICT'],
    [409, 'CONFLICT'],
  ]);
  const list = await apis[1]!.call('GET', '/v1/decision-events', { token: key });
  expect(list.body.pagination.total).toBe(1);
});

test('the rate limit is counted over both processes', async () => {
  const { token } = await makePartner(stagehand.app);
  const answers = await throughBoth(PARTNER_RATE, (api) => api.call('GET', '/auth/me', { token }));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(PARTNER_RATE);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(PARTNER_RATE);
});

test('a subscription in one process receives events of the other', async () => {
  const { token, record } = await proofStage();
  const [listening, acting] = apis as [TestClient, TestClient];
  const next = await watch(listening, 'subscription { decisionEvents { id status } }', token);
  // The stream does not announce when it is listening, so send until it receives.
  let heard = false;
  const first = next().finally(() => (heard = true));
  const recorded: string[] = [];
  while (!heard) recorded.push(await record(acting));
  const [event] = (await first).data.decisionEvents;
  expect(recorded).toContain(event.id);
  expect(event.status).toBe('recorded');
});

test('a revoked key and an ended session are rejected by both processes', async () => {
  const { key, token } = await makeStage(stagehand.app);
  const [here, there] = apis as [TestClient, TestClient];
  const withKey = async (api: TestClient) =>
    (await api.call('GET', '/v1/decision-events', { token: key })).status;
  const withToken = async (api: TestClient) => (await api.call('GET', '/auth/me', { token })).status;
  for (const api of apis) expect([await withKey(api), await withToken(api)]).toEqual([200, 200]);

  const keys = await here.graphql('{ apiKeys { edges { node { id } } } }', {}, token);
  const { id } = keys.data.apiKeys.edges[0].node;
  await here.graphql('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id } }', { id }, token);
  expect(await withKey(here)).toBe(401);
  // The other process is notified immediately; only the message takes time.
  await eventually(async () => (await withKey(there)) === 401);
  await here.graphql('mutation { logout }', {}, token);
  expect(await withToken(here)).toBe(401);
  await eventually(async () => (await withToken(there)) === 401);
});

test('two workers deliver every event once', async () => {
  const { key, record, approve } = await proofStage();
  // Slow enough that both workers can be seen at work.
  const { url, received } = await consumer((_, response) => {
    setTimeout(() => response.end('thanks'), 200);
  });
  const webhook = await subscribe(apis[0]!, key, url, ['dpu.sealed']);
  const sealed: string[] = [];
  // Each process has one worker pool for deliveries.
  const holders = new Set<string>();
  await eventually(async () => {
    const approvals = await throughBoth(5, async (api) => approve(api, await record(api)));
    for (const { body } of approvals) sealed.push(body.data.sealedHash.replace('sha256:', ''));
    const { rows } = await stagehand.superuser.query(
      `SELECT DISTINCT locked_by FROM graphile_worker.jobs
       WHERE task_identifier = 'deliver_webhook' AND locked_by IS NOT NULL`,
    );
    for (const { locked_by } of rows) holders.add(locked_by);
    return holders.size >= 2;
  });
  const { delivery } = stagehand.app.db.acrossTenants;
  const delivered = { webhookId: webhook.id, status: 'success' } as const;
  await eventually(async () => (await delivery.count({ where: delivered })) === sealed.length);
  expect(received.map(({ body }) => body.data.chainHash).toSorted()).toEqual(sealed.toSorted());
  expect(await delivery.count({ where: { ...delivered, attempts: 1 } })).toBe(sealed.length);
});
