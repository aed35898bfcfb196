import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import { testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { addLargeDecisions } from '../helpers/large-decisions.ts';
import { makePartner, makeStage } from '../helpers/world.ts';

const UNIT = 262_144;
const PAGE = '{ decisionEvents(first: 25) { edges { node { id tags action { input output } } } } }';

test('bytes of an answer count in the rate, the first 256 KiB being the request’s own', async () => {
  const { app, superuser, url } = await testApp({ env: { RATE_PROOF: '100' } });
  const { center, key } = await makeStage(app);
  await addLargeDecisions(superuser, center.id, 25, 500_000);
  const read = (query: string) =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ query }),
    });
  const large = await read(PAGE);
  const bytes = (await large.arrayBuffer()).byteLength;
  const left = 100 - Math.ceil(bytes / UNIT);
  expect(Math.ceil(bytes / UNIT)).toBe(48);
  expect(Number(large.headers.get('x-ratelimit-remaining'))).toBe(left);
  const small = await read('{ decisionEvents(first: 1) { edges { node { id } } } }');
  expect(Number(small.headers.get('x-ratelimit-remaining'))).toBe(left - 1);
  // An answer that uses up the rate is sent, and the next request is refused.
  await read(PAGE);
  expect((await read(PAGE)).status).toBe(200);
  expect((await read(PAGE)).status).toBe(429);
});

test('a large answer is the same JSON as a small one', async () => {
  const { app, superuser, graphql, call } = await testApp();
  const { center, token, key } = await makeStage(app);
  await addLargeDecisions(superuser, center.id, 1, 300_000);
  const output = {
    'quote"': ['\u2028', null, true, 1.5e-7, {}, [], ''],
    ключ: { nested: { deep: [[[1]]] } },
  };
  const { body } = await call('POST', '/v1/decision-events', {
    token: key,
    body: {
      type: 'custom',
      actor: { id: 'agent-1', type: 'ai_agent' },
      action: { type: 'refund.grant', output },
      aiContext: { model: '“m”', confidence: 0.5 },
    },
  });
  const { data, errors } = await graphql(
    '{ decisionEvents { totalCount edges { node { evidence { id } aiContext { model confidence provider } action { type input output } } } } }',
    {},
    token,
  );
  expect(errors).toBeUndefined();
  expect(data.decisionEvents.edges.map(({ node }: { node: unknown }) => node)).toContainEqual({
    evidence: { id: body.data.evidence.id },
    aiContext: { model: '“m”', confidence: 0.5, provider: null },
    action: { type: 'refund.grant', input: null, output },
  });
  expect(
    data.decisionEvents.edges.map(
      ({ node }: { node: { action: { input: { text: string } | null } } }) => node.action.input?.text.length,
    ),
  ).toContain(300_000);
});

test('an answer over 16 MiB is refused on GraphQL and REST', async () => {
  const { app, superuser, graphql, call } = await testApp();
  const { center, token } = await makeStage(app);
  const ctx = systemContext(app, 'test', center.id);
  await Promise.all(Array.from({ length: 80 }, (_, i) => recordDpu(ctx, { content: `record ${i}` })));
  await superuser.query(
    `UPDATE dpu SET metadata = json_build_object('note', repeat('x', 250000)) WHERE center_id = $1`,
    [center.id],
  );
  const { data, errors } = await graphql('{ dpus(first: 100) { edges { node { metadata } } } }', {}, token);
  expect(data).toBeUndefined();
  expect(errors![0]!.extensions.code).toBe('RESPONSE_TOO_LARGE');

  const partner = await makePartner(app, 'PARTNER_ADMIN', 80);
  await superuser.query(
    `UPDATE center SET settings = jsonb_build_object('note', repeat('x', 250000)) WHERE partner_id = $1`,
    [partner.partner.id],
  );
  const list = await call('GET', '/partner/centers?limit=100', { token: partner.token });
  expect([list.status, list.body.error?.code]).toEqual([413, 'RESPONSE_TOO_LARGE']);
  expect(list.body.error.message).toContain('16 MiB');
  expect((await call('GET', '/partner/centers?limit=10', { token: partner.token })).status).toBe(200);
});

test('a client that takes nothing of its answer for ten seconds is cut off, and what it held is free', async () => {
  const { app, superuser, url, fetch } = await testApp();
  const { center, key } = await makeStage(app);
  await addLargeDecisions(superuser, center.id, 25, 500_000);
  const held = async () =>
    ((await (await fetch('/readyz')).json()) as { memory: { content: number } }).memory.content;
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  const body = JSON.stringify({ query: PAGE });
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await eventually(async () => (await held()) > 10);
  // What the client sends is no progress.
  socket.write('GET /healthz HTTP/1.1\r\nX-Slow: ');
  const sending = setInterval(() => socket.write('a'), 1_000);
  onTestFinished(() => clearInterval(sending));
  // A paused socket does not see its end.
  await eventually(async () => (await held()) === 0);
  // The rest of the answer is lost, which the client may see as a reset.
  socket.on('error', () => {}).resume();
  await new Promise((resolve) => socket.once('close', resolve));
  expect(socket.bytesRead).toBeLessThan(12_000_000);
  expect(app.contentBudget.figures().held).toBe(0);
});
