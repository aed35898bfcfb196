import { expect, test } from 'vitest';
import { startTestApp, testApp } from '../helpers/app.ts';
import { makePartner, makeStage } from '../helpers/world.ts';

const shown = (headers: Headers) => [
  Number(headers.get('x-ratelimit-limit')),
  Number(headers.get('x-ratelimit-remaining')),
];

test('a person has the standard figure, a partner account its own', async () => {
  const { app, call } = await testApp({ env: { RATE_STANDARD: '3', RATE_PARTNER: '7' } });
  const { token } = await makeStage(app);
  const partner = await makePartner(app);
  expect(shown((await call('GET', '/auth/me', { token })).headers)).toEqual([3, 2]);
  expect(shown((await call('GET', '/auth/me', { token: partner.token })).headers)).toEqual([7, 6]);
});

test('past the figure: 429 with the seconds to wait, and GraphQL counts in the same tier', async () => {
  const { app, call, graphql } = await testApp({ env: { RATE_STANDARD: '2' } });
  const { token } = await makeStage(app);
  const before = Math.floor(Date.now() / 1_000);
  await call('GET', '/auth/me', { token });
  await graphql('{ me { name } }', {}, token);
  const refused = await call('GET', '/auth/me', { token });
  expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect(refused.body.error.message).toContain(String(wait));
  expect(Number(refused.headers.get('x-ratelimit-reset'))).toBeGreaterThan(before);
  const graphqlRefused = await graphql('{ me { name } }', {}, token);
  expect([graphqlRefused.status, graphqlRefused.errors![0]!.extensions.code]).toEqual([429, 'RATE_LIMITED']);
});

test('calls that fail to authenticate are counted by address; health and pages are not counted', async () => {
  const { call, fetch } = await testApp({ env: { RATE_ANONYMOUS: '2' } });
  await call('GET', '/auth/me');
  await call('GET', '/auth/me', { token: 'garbage' });
  expect((await call('GET', '/auth/me')).status).toBe(429);
  expect((await call('GET', '/v1/nowhere')).body.error.code).toBe('RATE_LIMIT');
  expect((await fetch('/healthz')).status).toBe(200);
  expect((await fetch('/api/openapi.json')).status).toBe(200);
});

test('0 turns a figure off, and the headers say so', async () => {
  const { app, call } = await testApp();
  const { token } = await makeStage(app);
  expect(shown((await call('GET', '/auth/me', { token })).headers)).toEqual([1_000_000, 1_000_000]);
});

test('several processes share one count in PostgreSQL', async () => {
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

test('behind a proxy the forwarded address counts, as far as it can be trusted', async () => {
  const { call } = await testApp({ env: { RATE_ANONYMOUS: '1', TRUST_PROXY: '1' } });
  const from = (forwarded: string) => call('GET', '/auth/me', { headers: { 'x-forwarded-for': forwarded } });
  expect((await from('1.1.1.1')).status).toBe(401);
  expect((await from('2.2.2.2')).status).toBe(401);
  // What the caller writes in front of the proxy's own entry changes nothing.
  expect((await from('9.9.9.9, 1.1.1.1')).status).toBe(429);
});
