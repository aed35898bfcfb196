import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeKey, makeMember, makeStage } from '../helpers/world.ts';

const KIB = 1_024;

const remaining = ({ headers }: { headers: Headers }) => Number(headers.get('x-ratelimit-remaining'));

const event = (input: object) => ({
  type: 'custom',
  actor: { id: 'agent-1', type: 'ai_agent' },
  action: { type: 'refund.grant', input },
});

const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, 1]));

test('without a credential a body is limited to 64 KiB', async () => {
  const { call, graphql } = await testApp();
  const tooLong = 'x'.repeat(64 * KIB);
  const login = await call('POST', '/auth/login', { body: { email: 'a@example.test', password: tooLong } });
  expect([login.status, login.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  const anonymous = await graphql(`{ __typename } # ${tooLong}`);
  expect([anonymous.status, anonymous.errors![0]!.extensions.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  const fits = await call('POST', '/auth/login', { body: { email: 'a@example.test', password: 'x' } });
  expect(fits.status).toBe(401);
});

test('a body with more than 10,000 members is rejected before parsing, in the error format of its path', async () => {
  const { app, call, fetch } = await testApp();
  const { token, key } = await makeStage(app);
  const flood = `[${'{},'.repeat(300_000)}{}]`;
  const anonymousFlood = `[${'{},'.repeat(20_000)}{}]`;
  const proof = await call('POST', '/v1/decision-events', { token: key, body: flood });
  expect([proof.status, proof.body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
  expect(proof.body.error.details.fields[0].message).toContain('10000');
  const platform = await call('POST', '/dpu/demo', { token, body: flood });
  expect([platform.status, platform.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  const signIn = await call('POST', '/auth/login', { body: anonymousFlood });
  expect([signIn.status, signIn.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  for (const [body, authorization] of [
    [anonymousFlood, ''],
    [flood, `Bearer ${key}`],
  ] as const) {
    const answer = await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      body,
    });
    expect([answer.status, (await answer.json()).errors[0].extensions.code]).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  }
});

test('members are counted at any depth: 10,000 are accepted, one more is not', async () => {
  const { app, call } = await testApp();
  const { key } = await makeStage(app);
  // Seven members of the event itself, and as many as fit beside them.
  const within = await call('POST', '/v1/decision-events', { token: key, body: event(members(9_993)) });
  expect(within.status).toBe(201);
  const over = await call('POST', '/v1/decision-events', { token: key, body: event(members(9_994)) });
  expect(over.status).toBe(422);
  const text = await call('POST', '/v1/decision-events', {
    token: key,
    body: event({ text: '{,['.repeat(3_000), list: Array(9_990).fill('\\"') }),
  });
  expect(text.status).toBe(201);
});

test('a response lists at most fifty errors', async () => {
  const { app, call, graphql } = await testApp();
  const { key, token } = await makeStage(app);
  const unknown = { ...event({}), ...members(5_000) };
  const proof = await call('POST', '/v1/decision-events', { token: key, body: unknown });
  expect([proof.status, proof.body.error.details.fields.length]).toEqual([422, 50]);
  const selections = Array.from({ length: 250 }, (_, i) => `nothing${i}`).join(' ');
  const { errors } = await graphql(`{ me { ${selections} } }`, {}, token);
  expect(errors!.length).toBeLessThanOrEqual(50);
});

test('a large body counts once for each started 64 KiB against the rate limit', async () => {
  const { app, call } = await testApp({ env: { RATE_PROOF: '100' } });
  const { key } = await makeStage(app);
  const record = (bytes: number) =>
    call('POST', '/v1/decision-events', { token: key, body: event({ text: 'x'.repeat(bytes) }) });
  expect(remaining(await record(10))).toBe(99);
  const large = await record(150 * KIB);
  expect([large.status, remaining(large)]).toEqual([201, 96]);
});

test('an export costs 2 and a chain verification 10, over REST and for each alias in GraphQL', async () => {
  const { app, call, fetch } = await testApp({ env: { RATE_STANDARD: '100', RATE_GRAPHQL: '100' } });
  const { token } = await makeStage(app);
  const ask = (query: string, accept = 'application/json') =>
    fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, accept },
      body: JSON.stringify({ query }),
    });
  const demo = await call('POST', '/dpu/demo', { token, body: {} });
  expect(remaining(demo)).toBe(99);
  const listed = await ask('{ dpus(first: 1) { edges { node { id } } } }');
  expect(remaining(listed)).toBe(99);
  const { id } = (await listed.json()).data.dpus.edges[0].node;
  expect(remaining(await call('GET', `/dpu/${id}/export`, { token }))).toBe(97);
  expect(remaining(await call('GET', '/dpu/verify-chain', { token }))).toBe(87);

  const fragment = 'fragment F on Query { c: me { name } d: me { name } }';
  expect(remaining(await ask(`{ a: me { name } b: me { name } ...F } ${fragment}`))).toBe(95);
  const exports = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `e${from + i}: dpuExport(id: "${id}")`).join(' ');
  expect(remaining(await ask(`{ ${exports(0, 10)} }`))).toBe(75);
  // The other handler counts the same way.
  expect(remaining(await ask(`{ ${exports(0, 10)} }`, 'application/graphql-response+json'))).toBe(55);
  expect(remaining(await ask('{ a: verifyChain { valid } b: verifyChain { valid } }'))).toBe(35);
  expect(remaining(await ask(`{ ${exports(0, 10)} }`))).toBe(15);
  for (const accept of ['application/json', 'application/graphql-response+json']) {
    const refused = await ask(`{ ${exports(0, 10)} }`, accept);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    const { data, errors } = await refused.json();
    expect([data ?? null, errors[0].extensions.code]).toEqual([null, 'RATE_LIMITED']);
  }
});

test('all keys and people of a center share one rate limit, and other centers have their own', async () => {
  const { app, call, graphql } = await testApp({ env: { RATE_CENTER: '4' } });
  const { center, token, key } = await makeStage(app);
  const second = await makeKey(app, center.id);
  const colleague = await makeMember(app, center.id, 'INSTRUCTOR');
  const neighbor = await makeStage(app);
  expect((await call('GET', '/auth/me', { token })).status).toBe(200);
  expect((await call('GET', '/v1/decision-events', { token: key })).status).toBe(200);
  expect((await call('GET', '/v1/decision-events', { token: second })).status).toBe(200);
  expect((await graphql('{ me { name } }', {}, colleague.token)).status).toBe(200);
  for (const refused of [
    await call('GET', '/auth/me', { token: colleague.token }),
    await call('GET', '/v1/decision-events', { token: key }),
  ]) {
    expect([refused.status, refused.headers.get('x-ratelimit-limit')]).toEqual([429, '4']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await graphql('{ me { name } }', {}, token)).status).toBe(429);
  expect((await call('GET', '/v1/decision-events', { token: neighbor.key })).status).toBe(200);
});

test('thirty exports exceed the limit of one request', async () => {
  const { app, graphql } = await testApp();
  const { token } = await makeStage(app);
  const exports = Array.from({ length: 30 }, (_, i) => `e${i}: dpuExport(id: "dpu_${i}")`).join(' ');
  const { errors } = await graphql(`{ ${exports} }`, {}, token);
  expect(errors![0]!.message).toMatch(/too large/);
});
