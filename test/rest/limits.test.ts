import { expect, test } from 'vitest';
import { makeStreamSlots } from '../../src/rest/stream-slots.ts';
import { startTestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { makePartner, makeStage, makeToken } from '../helpers/world.ts';

const shown = (headers: Headers) => [
  Number(headers.get('x-ratelimit-limit')),
  Number(headers.get('x-ratelimit-remaining')),
];

test('people and partner accounts have separate limits', async () => {
  const { app, call } = await testApp({ env: { RATE_STANDARD: '3', RATE_PARTNER: '7' } });
  const { token } = await makeStage(app);
  const partner = await makePartner(app);
  expect(shown((await call('GET', '/auth/me', { token })).headers)).toEqual([3, 2]);
  expect(shown((await call('GET', '/auth/me', { token: partner.token })).headers)).toEqual([7, 6]);
});

test('over the limit: 429 with the seconds to wait', async () => {
  const { app, call } = await testApp({ env: { RATE_STANDARD: '2' } });
  const { token } = await makeStage(app);
  const before = Math.floor(Date.now() / 1_000);
  await call('GET', '/auth/me', { token });
  await call('GET', '/auth/me', { token });
  const refused = await call('GET', '/auth/me', { token });
  expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect(refused.body.error.message).toContain(String(wait));
  expect(Number(refused.headers.get('x-ratelimit-reset'))).toBeGreaterThan(before);
});

test('GraphQL requests of a person have their own limit, those of a key share the limit of the key', async () => {
  const env = { RATE_STANDARD: '1', RATE_PROOF: '2', RATE_GRAPHQL: '2' };
  const { app, call, graphql } = await testApp({ env });
  const { token, key } = await makeStage(app);
  const asked = async (query: string, bearer: string) => {
    const { status, errors } = await graphql(query, {}, bearer);
    return [status, errors?.[0]?.extensions.code];
  };
  expect((await call('GET', '/auth/me', { token })).status).toBe(200);
  for (let i = 0; i < 2; i++) expect(await asked('{ me { name } }', token)).toEqual([200, undefined]);
  expect(await asked('{ me { name } }', token)).toEqual([429, 'RATE_LIMITED']);
  expect((await call('GET', '/auth/me', { token })).status).toBe(429);

  expect((await call('GET', '/v1/decision-events', { token: key })).status).toBe(200);
  const list = '{ decisionEvents(first: 1) { edges { cursor } } }';
  expect(await asked(list, key)).toEqual([200, undefined]);
  expect(await asked(list, key)).toEqual([429, 'RATE_LIMITED']);
});

test('public proof pages and files count against the public limit', async () => {
  const { call, fetch } = await testApp({ env: { RATE_PUBLIC: '3' } });
  const visit = async (path: string) => (await fetch(path)).status;
  expect(await visit('/verify/evt_unknown')).toBe(404);
  expect(await visit('/verify/evt_unknown/proof.json')).toBe(404);
  expect((await call('GET', '/provisioning/center-plans')).status).toBe(200);
  for (const path of ['/verify/evt_unknown', '/verify/evt_unknown/proof.json']) {
    const refused = await fetch(path);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  }
  expect(await visit('/verify')).toBe(200);
});

test('an ADMIN can give a key up to 6,000 calls a minute', async () => {
  const { app, graphql, call } = await testApp({ env: { RATE_PROOF: '600' } });
  const { token } = await makeStage(app);
  const create = (ratePerMinute: number) =>
    graphql(
      'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { plaintext } }',
      { input: { name: 'fast', scopes: ['proof:read'], ratePerMinute } },
      token,
    );
  const { plaintext } = (await create(6_000)).data.createApiKey;
  expect(shown((await call('GET', '/v1/decision-events', { token: plaintext })).headers)).toEqual([
    6_000, 5_999,
  ]);
  expect((await create(6_001)).errors![0]!.extensions.code).toBe('VALIDATION_ERROR');
});

test('a caller can have twenty event streams, and a slot is released when one ends', async () => {
  const { app, url } = await testApp();
  const { token, admin } = await makeStage(app);
  const other = (await makeStage(app)).token;
  const open = async (bearer: string) => {
    const gone = new AbortController();
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      signal: gone.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${bearer}`,
      },
      body: JSON.stringify({ query: 'subscription { events { id } }' }),
    });
    return { response, end: () => gone.abort() };
  };
  const streams = await Promise.all(Array.from({ length: 20 }, () => open(token)));
  expect(streams.map(({ response }) => response.status)).toEqual(Array(20).fill(200));
  const { response: refused } = await open(token);
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
  // Another session of the same person is the same caller; another person is not.
  const second = await makeToken(app, admin.actor.id, admin.membership.centerId);
  expect((await open(second)).response.status).toBe(429);
  const theirs = await open(other);
  expect(theirs.response.status).toBe(200);
  streams[0]!.end();
  await eventually(async () => {
    const again = await open(token);
    if (again.response.status === 200) streams.push(again);
    return again.response.status === 200;
  });
  for (const { end } of [...streams, theirs]) end();
});

test('a process has a total limit of event streams', () => {
  const slots = makeStreamSlots({ perCaller: 2, perProcess: 3 });
  const ends = [slots.take('a'), slots.take('a'), slots.take('b')];
  expect(() => slots.take('a')).toThrow('At most 2');
  expect(() => slots.take('c')).toThrow(/open here/);
  ends[0]!();
  ends[0]!();
  slots.take('c');
  expect(() => slots.take('d')).toThrow(/open here/);
});

test('thirty aliases of one verification verify the chains once', async () => {
  const { app, graphql, call } = await testApp();
  const { token, center } = await makeStage(app);
  await call('POST', '/dpu/demo', { token, body: {} });
  const names = Array.from({ length: 30 }, (_, i) => `v${i}: verifyChain { valid chainLength }`);
  const { data } = await graphql(`{ ${names.join(' ')} }`, {}, token);
  expect(new Set(Object.values(data).map((verdict) => JSON.stringify(verdict))).size).toBe(1);
  const told = await app.db.forCenter(center.id).platformEvent.count({ where: { type: 'dpu.verified' } });
  expect(told).toBe(1);
  const records = Array.from({ length: 30 }, (_, i) => `v${i}: verifyDpu(id: "dpu_${i}") { valid }`);
  const { errors } = await graphql(`{ ${records.join(' ')} }`, {}, token);
  expect(errors![0]!.message).toMatch(/too large/);
});

test('unauthenticated calls are counted by address; health checks and pages are not counted', async () => {
  const { call, fetch } = await testApp({ env: { RATE_ANONYMOUS: '2' } });
  await call('GET', '/auth/me');
  await call('GET', '/auth/me', { token: 'garbage' });
  expect((await call('GET', '/auth/me')).status).toBe(429);
  expect((await call('GET', '/v1/nowhere')).body.error.code).toBe('RATE_LIMIT');
  expect((await fetch('/healthz')).status).toBe(200);
  expect((await fetch('/api/openapi.json')).status).toBe(200);
});

test('0 disables a limit, which the headers show', async () => {
  const { app, call } = await testApp();
  const { token } = await makeStage(app);
  expect(shown((await call('GET', '/auth/me', { token })).headers)).toEqual([1_000_000, 1_000_000]);
});

test('several processes share one counter in PostgreSQL', async () => {
  const env = { RATE_STANDARD: '2', RATE_STORE: 'postgres' };
  const first = await testApp({ env });
  const second = await startTestApp({ env, database: first.database });
  try {
    const { token } = await makeStage(first.app);
    expect((await first.call('GET', '/auth/me', { token })).status).toBe(200);
    expect((await second.call('GET', '/auth/me', { token })).status).toBe(200);
    expect((await first.call('GET', '/auth/me', { token })).status).toBe(429);
    expect((await second.call('GET', '/auth/me', { token })).status).toBe(429);
  } finally {
    await second.close();
  }
});

test('behind a proxy the forwarded address is counted, as far as it is trusted', async () => {
  const { call } = await testApp({ env: { RATE_ANONYMOUS: '1', TRUST_PROXY: '1' } });
  const from = (forwarded: string) => call('GET', '/auth/me', { headers: { 'x-forwarded-for': forwarded } });
  expect((await from('1.1.1.1')).status).toBe(401);
  expect((await from('2.2.2.2')).status).toBe(401);
  // What the caller writes before the proxy's own entry changes nothing.
  expect((await from('9.9.9.9, 1.1.1.1')).status).toBe(429);
});

test('other notations of an address, and other addresses of its /64, share its counter', async () => {
  const { call } = await testApp({ env: { RATE_ANONYMOUS: '1', TRUST_PROXY: '1' } });
  const from = async (forwarded: string) =>
    (await call('GET', '/auth/me', { headers: { 'x-forwarded-for': forwarded } })).status;
  expect(await from('192.0.2.7')).toBe(401);
  for (const spelling of ['192.0.2.7:1024', '::ffff:192.0.2.7', '[::ffff:c000:207]:99'])
    expect([spelling, await from(spelling)]).toEqual([spelling, 429]);
  expect(await from('2001:db8:1:2::1')).toBe(401);
  expect(await from('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(429);
  expect(await from('[2001:0DB8:1:2::9]:443')).toBe(429);
  expect(await from('2001:db8:1:3::1')).toBe(401);
});
