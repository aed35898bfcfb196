import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../src/rest/routes/index.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeActor, makeMembership, makeStage } from '../helpers/world.ts';

let running: TestApp;
let token: string;
let key: string;
let account: { email: string; password: string };
const FRIEND = 'https://console.friend.test';

beforeAll(async () => {
  running = await startTestApp({ env: { CORS_ORIGINS: FRIEND } });
  const stage = await makeStage(running.app);
  ({ token, key } = stage);
  const password = 'correct horse battery';
  const { id, email } = await makeActor(running.app, { password });
  await makeMembership(running.app, id, stage.center.id);
  account = { email: email!, password };
});
afterAll(() => running.close());

const changing = routes.filter(({ method }) => method !== 'GET');
const foreign = ['https://evil.test', 'null', 'http://localhost.evil.test', 'http://localhost:1'];

test.each(changing.map((row) => [`${row.method} ${row.path}`, row] as const))(
  '%s is rejected for pages of another origin, with any credential',
  async (_, row) => {
    const path = row.path.replace(/\{\w+\}/g, 'x');
    const body = row.method === 'DELETE' ? undefined : {};
    const credential = { token, key, public: token }[row.auth];
    for (const origin of foreign) {
      const answer = await running.call(row.method, path, { token: credential, body, headers: { origin } });
      expect([origin, answer.status, answer.body.error.code]).toEqual([origin, 403, 'FORBIDDEN']);
    }
  },
);

test('sign-in works for own, allowed and missing origins; others are rejected without a cookie', async () => {
  const own = new URL(running.config.publicUrl).origin;
  const welcome: Record<string, string>[] = [
    {},
    { origin: own },
    { origin: running.url },
    { origin: FRIEND },
  ];
  for (const headers of welcome) {
    const answer = await running.call('POST', '/auth/login', { body: account, headers });
    expect([headers, answer.status]).toEqual([headers, 200]);
  }
  const refused = await running.call('POST', '/auth/login', {
    body: account,
    headers: { origin: 'https://evil.test' },
  });
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([403, []]);
});

test('GraphQL, including sign-in, is rejected for pages of another origin', async () => {
  const query = 'mutation ($input: SignInInput!) { signIn(input: $input) { accessToken } }';
  const post = (headers: Record<string, string>) =>
    running.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables: { input: account } }),
    });
  expect((await post({})).status).toBe(200);
  const refused = await post({ origin: 'https://evil.test' });
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([403, []]);
  expect(((await refused.json()) as { errors: unknown[] }).errors[0]).toMatchObject({
    extensions: { code: 'FORBIDDEN' },
  });
});

/** Requests that a form, a beacon or a blob of another site can send without a preflight. */
const unasked = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', null];

test.each(unasked)('a body with content type %s is rejected by REST and GraphQL', async (type) => {
  const post = (path: string, body: unknown) =>
    running.fetch(path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${path.includes('/v1') ? key : token}`,
        ...(type && { 'content-type': type }),
      },
      // A blob without a type is the one body that fetch sends without a Content-Type.
      body: new Blob([JSON.stringify(body)]),
    });
  const platform = await post('/api/auth/login', account);
  expect([platform.status, await platform.json()]).toEqual([
    415,
    { success: false, error: { code: 'UNSUPPORTED_MEDIA_TYPE', message: expect.any(String) } },
  ]);
  const proof = await post('/api/v1/decision-events', {});
  expect([proof.status, await proof.json()]).toMatchObject([
    415,
    { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } },
  ]);
  const graphql = await post('/graphql', { query: '{ __typename }' });
  expect([graphql.status, await graphql.json()]).toMatchObject([
    415,
    { errors: [{ extensions: { code: 'UNSUPPORTED_MEDIA_TYPE' } }] },
  ]);
});

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/merge-patch+json',
])('a body with content type %s is accepted', async (type) => {
  const answer = await running.call('POST', '/auth/login', {
    body: account,
    headers: { 'content-type': type },
  });
  expect(answer.status).toBe(200);
});

test('a call without a body needs no content type', async () => {
  const answer = await running.call('POST', '/dpu/demo', { token });
  expect(answer.status, answer.text).toBeLessThan(300);
});
