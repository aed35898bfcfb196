import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { announceDecisions } from '../../src/domain/announcements.ts';
import { systemContext } from '../../src/domain/context.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeClient, type TestClient } from '../helpers/client.ts';
import { eventually } from '../helpers/eventually.ts';
import { addLargeDecisions } from '../helpers/large-decisions.ts';
import { type ServerProcess, startServer } from '../helpers/process.ts';
import { firstResult, watch } from '../helpers/watch.ts';
import { makeKey, makeStage } from '../helpers/world.ts';

const BYTES = 500_000;

let stagehand: TestApp;
let server: ServerProcess;
let api: TestClient;
let attacker: Awaited<ReturnType<typeof makeStage>> & { reader: string; decisions: string[] };
/** Its first decision is the last similar one of all others. */
let repeated: Awaited<ReturnType<typeof makeStage>> & { decisions: string[] };
let neighbor: Awaited<ReturnType<typeof makeStage>>;

beforeAll(async () => {
  stagehand = await startTestApp();
  const { app, superuser, database } = stagehand;
  const stage = await makeStage(app);
  const reader = await makeKey(app, stage.center.id, ['proof:read']);
  const decisions = await addLargeDecisions(superuser, stage.center.id, 100, BYTES);
  attacker = { ...stage, reader, decisions };
  const other = await makeStage(app);
  repeated = { ...other, decisions: await addLargeDecisions(superuser, other.center.id, 40, 200_000) };
  await superuser.query(
    `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
     UPDATE decision_event SET status = 'sealed' FROM free WHERE id = $1`,
    [repeated.decisions.toSorted()[0]],
  );
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

/** The codes, which must be those of a limit. */
function limitsOf(codes: Set<string>): Set<string> {
  expect(['RESPONSE_TOO_LARGE', 'SERVICE_UNAVAILABLE']).toEqual(expect.arrayContaining([...codes]));
  return codes;
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

test('an answer that repeats one decision under many names and in every item is refused, however it is asked for', async () => {
  const action = `action ${aliases(28, 'input')}`;
  const query = `{ decisionEvents(first: 40) { edges { node { lastSimilar { ${action} } } } } }`;
  const authorization = `Bearer ${repeated.token}`;
  const url = `${server.url}/graphql`;
  const body = JSON.stringify({ query });
  const type = { 'content-type': 'application/json' };
  const forms = [
    () => fetch(url, { method: 'POST', headers: { authorization, ...type }, body }),
    () => {
      const headers = { authorization, ...type, accept: 'application/graphql-response+json' };
      return fetch(url, { method: 'POST', headers, body });
    },
    () => fetch(`${url}?query=${encodeURIComponent(query)}`, { headers: { authorization } }),
  ];
  for (const send of forms) {
    let isOver = false;
    const answers = Promise.all(Array.from({ length: 4 }, send)).finally(() => (isOver = true));
    const waits: number[] = [];
    while (!isOver) {
      const begun = performance.now();
      await api.call('GET', '/v1/decision-events', { token: neighbor.key });
      waits.push(performance.now() - begun);
    }
    expect(Math.max(...waits)).toBeLessThan(2_000);
    for (const answer of await answers) {
      const { errors } = (await answer.json()) as { errors: { extensions: { code: string } }[] };
      expect(['RESPONSE_TOO_LARGE', 'SERVICE_UNAVAILABLE']).toContain(errors[0]!.extensions.code);
    }
  }
}, 120_000);

test('an event of a subscription that repeats one decision many times is refused', async () => {
  const { app } = stagehand;
  const action = `action ${aliases(28, 'input')}`;
  const query = `subscription { decisionEvents { lastSimilar { ${action} } } }`;
  const next = await watch(api, query, repeated.token);
  const { data, errors } = await firstResult(next, () =>
    announceDecisions(app.bus, repeated.center.id, repeated.decisions),
  );
  expect(data).toBeUndefined();
  expect(errors![0]!.extensions.code).toBe('RESPONSE_TOO_LARGE');
});

test('requests whose clients go away leave nothing that waits, and count until their work ends', async () => {
  const query = '{ decisionEvents(first: 30) { edges { node { action { input } } } } }';
  const headers = { authorization: `Bearer ${attacker.reader}`, 'content-type': 'application/json' };
  const { hostname, port } = new URL(server.url);
  const lines = [
    `GET /graphql?query=${encodeURIComponent(query)} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: ${headers.authorization}`,
  ];
  const aborted = async (ms: number) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    await sleep(ms);
    socket.destroy();
  };
  const posted = async (ms: number) => {
    const signal = AbortSignal.timeout(ms);
    await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
      signal,
    }).catch(() => {});
  };
  // They wait for the share of their center when their clients go away.
  await Promise.all(Array.from({ length: 120 }, (_, i) => (i % 2 ? aborted(1_000) : posted(1_000))));
  const memory = async () =>
    ((await (await fetch(`${server.url}/readyz`)).json()) as { memory: Record<string, number> }).memory;
  await eventually(async () => {
    const { content, contentWaiting } = await memory();
    return content === 0 && contentWaiting === 0;
  }, 20_000);
  expect(server.child.exitCode).toBeNull();
}, 60_000);

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
  expect(limitsOf(await attack(attacker.token, list, 5)).size).toBeGreaterThan(0);
  // The server may still hold what the last ones read.
  await eventually(async () => (await attack(attacker.token, list, 1)).has('RESPONSE_TOO_LARGE'));
});

test('inputs and outputs of workflow steps are limited like content', async () => {
  const { superuser } = stagehand;
  const centerId = attacker.center.id;
  await superuser.query(
    `INSERT INTO workflow (id, center_id, name, description, type, status, vertical, version)
     VALUES ('wf_01k9zq2m0large0000', $1, 'Large', '', 'MANUAL', 'ACTIVE', 'rehabilitation', 1)`,
    [centerId],
  );
  await superuser.query(
    `INSERT INTO workflow_execution (id, center_id, workflow_id, version, started_by)
     SELECT 'exe_01k9zq2m00000000' || lpad(n::text, 4, '0'), $1, 'wf_01k9zq2m0large0000', 1, 'test' FROM generate_series(1, 100) n`,
    [centerId],
  );
  await superuser.query(
    `INSERT INTO workflow_step_run (execution_id, position, name, kind, status, input, output)
     SELECT id, p, 's' || p, 'template', 'COMPLETED', json_build_object('t', repeat('x', 250000)), json_build_object('t', repeat('y', 250000))
     FROM workflow_execution, generate_series(0, 3) p WHERE center_id = $1`,
    [centerId],
  );
  const steps = 'steps(first: 10) { edges { node { input output } } }';
  const executions = `executions(first: 100) { edges { node { ${steps} } } }`;
  const query = `{ workflow(id: "wf_01k9zq2m0large0000") { ${executions} } }`;
  // Together they may find no room before one of them has read too much.
  expect(limitsOf(await attack(attacker.token, query, 10)).size).toBeGreaterThan(0);
  // The server may still hold what the last ones read.
  await eventually(async () => (await attack(attacker.token, query, 1)).has('RESPONSE_TOO_LARGE'));
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
