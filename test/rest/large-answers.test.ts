import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeClient, type TestClient } from '../helpers/client.ts';
import { addLargeDecisions } from '../helpers/large-decisions.ts';
import { type ServerProcess, startServer } from '../helpers/process.ts';
import { makeKey, makeStage } from '../helpers/world.ts';

const BYTES = 500_000;

let stagehand: TestApp;
let server: ServerProcess;
let api: TestClient;
let attacker: Awaited<ReturnType<typeof makeStage>> & { reader: string; decisions: string[] };
let neighbor: Awaited<ReturnType<typeof makeStage>>;

beforeAll(async () => {
  stagehand = await startTestApp();
  const { app, superuser, database } = stagehand;
  const stage = await makeStage(app);
  const reader = await makeKey(app, stage.center.id, ['proof:read']);
  const decisions = await addLargeDecisions(superuser, stage.center.id, 100, BYTES);
  attacker = { ...stage, reader, decisions };
  neighbor = await makeStage(app);
  const { url: DATABASE_URL, checkpointFile: CHECKPOINT_FILE } = database;
  const rates = { RATE_STANDARD: '0', RATE_PROOF: '0', RATE_GRAPHQL: '0', RATE_CENTER: '0' };
  server = await startServer({ env: { ROLE: 'api', ...rates, DATABASE_URL, CHECKPOINT_FILE } });
  api = makeClient(server.url);
}, 120_000);
afterAll(async () => {
  await server.end();
  await stagehand.close();
});

const aliases = (count: number, field: string) =>
  `{ ${Array.from({ length: count }, (_, i) => `a${i}: ${field}`).join(' ')} }`;

/** Sends the query several times at once, while a neighbor reads, and returns the codes of all errors. */
async function attack(token: string, query: string, times: number): Promise<Set<string>> {
  let isOver = false;
  const answers = Promise.all(Array.from({ length: times }, () => api.graphql(query, {}, token))).finally(
    () => (isOver = true),
  );
  while (!isOver) {
    const { status } = await api.call('GET', '/v1/decision-events', { token: neighbor.key });
    expect(status).toBe(200);
    await sleep(20);
  }
  expect(server.child.exitCode).toBeNull();
  return new Set((await answers).flatMap(({ errors }) => (errors ?? []).map((each) => each.extensions.code)));
}

test('a key that can only read cannot end the process with much content', async () => {
  const page = 'decisionEvents(first: 100) { edges { node { action { input output } } } }';
  expect(await attack(attacker.reader, aliases(5, page), 20)).toEqual(new Set(['RESPONSE_TOO_LARGE']));
  const each = (id: string) => `decisionEvent(id: "${id}") { argumentsDigest action { input } }`;
  const byId = `{ ${attacker.decisions
    .slice(0, 50)
    .map((id, i) => `a${i}: ${each(id)}`)
    .join(' ')} }`;
  expect(await attack(attacker.token, byId, 5)).not.toContain('INTERNAL_ERROR');
});

test('lists that select ids read no content', async () => {
  const field = 'approvalsForMe(first: 100) { edges { node { eventId } } }';
  expect(await attack(attacker.token, aliases(10, field), 10)).toEqual(new Set());
  const { data } = await api.graphql(aliases(1, field), {}, attacker.token);
  expect(data.a0.edges).toHaveLength(100);
});

test('requests for as much content as a center may hold wait for each other, or are to be repeated', async () => {
  const page = '{ decisionEvents(first: 25) { edges { node { id action { input } } } } }';
  const read = async () => {
    for (;;) {
      const { data, errors = [] } = await api.graphql(page, {}, attacker.reader);
      if (errors.length === 0) return data;
      for (const { extensions } of errors)
        expect(extensions).toEqual({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 });
      await sleep(1_000);
    }
  };
  for (const data of await Promise.all(Array.from({ length: 6 }, read))) {
    expect(data.decisionEvents.edges).toHaveLength(25);
    for (const { node } of data.decisionEvents.edges) expect(node.action.input.text).toHaveLength(BYTES);
  }
});

test('notes of records are limited like content', async () => {
  const { app, superuser } = stagehand;
  const ctx = systemContext(app, 'test', attacker.center.id);
  await Promise.all(Array.from({ length: 100 }, (_, i) => recordDpu(ctx, { content: `record ${i}` })));
  await superuser.query(
    `UPDATE dpu SET metadata = json_build_object('note', repeat('x', 250000)) WHERE center_id = $1`,
    [attacker.center.id],
  );
  const list = aliases(20, 'dpus(first: 100) { edges { node { metadata } } }');
  expect(await attack(attacker.token, list, 5)).toEqual(
    new Set(['RESPONSE_TOO_LARGE', 'SERVICE_UNAVAILABLE']),
  );
});

test('approving and verifying many large decisions holds a few at a time', async () => {
  const stage = await makeStage(stagehand.app);
  const event = {
    type: 'custom',
    actor: { id: 'agent-1', type: 'ai_agent' },
    action: {
      type: 'refund.grant',
      input: { text: 'x'.repeat(250_000) },
      output: { text: 'y'.repeat(250_000) },
    },
  };
  const record = () => api.call('POST', '/v1/decision-events', { token: stage.key, body: event });
  const recorded = await Promise.all(Array.from({ length: 36 }, record));
  const approve = async (id: string) => {
    for (;;) {
      const { status } = await api.call('POST', `/v1/decision-events/${id}/approvals`, {
        token: stage.key,
        body: { approver: { id: 'dr-kim', type: 'human' }, result: 'approved' },
      });
      if (status !== 503) return status;
      await sleep(100);
    }
  };
  const ids = recorded.map(({ body }) => body.data.id as string);
  expect(new Set(await Promise.all(ids.map(approve)))).toEqual(new Set([200]));
  const { body } = await api.call('GET', '/dpu/verify-chain', { token: stage.token });
  expect(body.data).toMatchObject({ valid: true, differences: [] });
  expect(body.data.chains.find(({ domain }: { domain: string }) => domain === 'proof').chainLength).toBe(36);
});
